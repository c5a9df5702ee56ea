/// Values of the functions for clustered deliveries and for looking every day. They were computed independently from the
/// definitions with 40 digits and rounded to 17.
///
/// Published values among them: -3.3654832 and 0.2054832 are the interval of R's `t.test(extra ~ group, data = sleep)`,
/// the first of `welch`. The Student and Welch values agree with SciPy and statsmodels. The variance over 128 buckets
/// agrees with the cluster-robust variance of statsmodels' `OLS(...).fit(cov_type="cluster")`, times 128 / 127.
extension DistributionValues {
    static let studentT: [(expression: String, value: Double)] = [
        ("student_t_quantile(1)", 12.706204736174705),
        ("student_t_quantile(1.5)", 6.0166631044279319),
        ("student_t_quantile(2)", 4.3026527297494639),
        ("student_t_quantile(3.7)", 2.8675207071911895),
        ("student_t_quantile(10)", 2.2281388519862747),
        ("student_t_quantile(29.5)", 2.0437249667721233),
        ("student_t_quantile(100)", 1.9839715185235523),
        ("student_t_quantile(299)", 1.9679296690656699),
        ("student_t_quantile(300)", 1.967903011261087),
        ("student_t_quantile(1234.5)", 1.9618874833313456),
        ("student_t_quantile(1e6)", 1.959966356814107),
        ("student_t_p(0.5, 3)", 0.65144796484815099),
        ("student_t_p(2, 10)", 0.073388034770740366),
        ("student_t_p(-2, 10)", 0.073388034770740366),
        ("student_t_p(2.5, 127)", 0.013693759736178046),
        ("student_t_p(12, 5)", 7.0894925171615227e-5),
        ("student_t_p(40, 400)", 7.1585177122998348e-142),
        ("student_t_p(1.96, 10000)", 0.050023520231833045),
        ("student_t_p(0.001, 2.5)", 0.99927638272078489),
        ("student_t_p(3, 1)", 0.20483276469913345),
    ]

    /// Of means of values over 4, 40 and 1,000 deliveries, most of which have none; from SciPy.
    static let means: [(expression: String, value: Double)] = [
        ("mean_value_margin(20, 250, 2, 4, 1)", 11.251646816140918),
        ("mean_value_margin(133.51, 14819.2501, 5, 40, 30)", 6.139746108124433),
        ("mean_value(133.51, 5, 40, 30)", 3.33775),
        ("mean_value_margin(1000000000000002.5, 1000000000000000000000000000006.25, 2, 1000, 30)", 1962341461133.4502),
    ]

    static let welch: [(expression: String, value: Double)] = [
        ("welch_margin(3.2005555555555556, 10, 4.009, 10)", 1.785483230711711),
        ("welch_margin(400, 1000, 90000, 870)", 20.000847115386087),
        ("welch_margin(1e-6, 31, 0, 50)", 0.000366802961334947),
        ("welch_margin(1e15, 2e6, 3e12, 5)", 2150109.3443930134),
        ("welch_margin(3, 40.5, 9, 20.25)", 1.4805644841468673),
    ]

    static let designEffects: [(expression: String, value: Double)] = [
        ("ratio_variance(array[3, 4, 5], array[1, 0, 4])", 0.045591523281811996),
        ("design_effect(afterpush.ratio_variance(array[3, 4, 5], array[1, 0, 4]), 5, 12)", 2.2509186351706037),
        ("ratio_variance(array[10, 10, 10, 10, 10, 10, 10, 10], array[1, 2, 0, 9, 4, 1, 0, 3])", 0.0097637795275590551),
        (
            "design_effect(afterpush.ratio_variance(array[10, 10, 10, 10, 10, 10, 10, 10], array[1, 2, 0, 9, "
                + "4, 1, 0, 3]), 20, 80)",
            4.1658792650918635
        ),
        ("ratio_variance(array[1000000007, 999999937, 5], array[500000003, 1, 5])", 0.031496062645669193),
        (
            "design_effect(afterpush.ratio_variance(array[1000000007, 999999937, 5], array[500000003, 1, 5]), "
                + "500000009, 1999999949)",
            335957983.24409413
        ),
        ("ratio_variance(array[2, 2], array[1, 1])", 0.0),
        ("design_effect(afterpush.ratio_variance(array[2, 2], array[1, 1]), 2, 4)", 1.0),
        (
            "ratio_variance(array[11, 5, 13, 21, 2, 3, 27, 18, 4, 12, 19, 2, 30, 17, 7, 2, 3, 14, 14, 3, 8, 3, "
                + "18, 14, 2, 27, 19, 4, 8, 21, 21, 19, 2, 19, 19, 13, 2, 8, 2, 18, 28, 5, 10, 14, 5, 18, 4, 19, 10, "
                + "18, 27, 22, 6, 4, 19, 19, 21, 7, 12, 4, 18, 23, 3, 19, 2, 20, 7, 16, 22, 18, 14, 25, 11, 15, 19, "
                + "30, 15, 12, 10, 8, 26, 6, 23, 25, 8, 3, 19, 10, 17, 16, 29, 11, 24, 15, 10, 20, 3, 4, 17, 14, 6, "
                + "25, 11, 5, 30, 16, 14, 2, 22, 3, 25, 18, 19, 26, 29, 27, 11, 11, 23, 12, 20, 16, 19, 26, 15, 3, "
                + "27, 3], array[4, 3, 11, 21, 0, 0, 23, 9, 4, 10, 14, 1, 22, 12, 5, 0, 3, 5, 2, 0, 7, 0, 6, 12, 1, "
                + "4, 7, 3, 6, 15, 2, 5, 1, 12, 17, 4, 0, 6, 2, 8, 22, 3, 5, 10, 3, 7, 1, 2, 2, 4, 7, 21, 1, 0, 15, "
                + "18, 5, 4, 4, 0, 4, 13, 2, 19, 2, 10, 2, 16, 19, 1, 7, 24, 10, 12, 12, 12, 12, 1, 7, 6, 1, 1, 2, "
                + "6, 7, 1, 3, 5, 1, 3, 0, 9, 4, 3, 5, 19, 0, 0, 6, 9, 3, 4, 10, 2, 30, 11, 9, 1, 15, 0, 3, 15, 14, "
                + "15, 15, 9, 1, 2, 3, 11, 10, 8, 15, 26, 5, 0, 6, 2])",
            0.0010516248696647121
        ),
        ("sample_ratio_design_effect(1000, array[0.001, 0.001], array[1, 1])", 4.0),
        ("sample_ratio_design_effect(5000, array[0.0002, 0.0003, 0.0001], array[2, 1, 1])", 5.0),
        ("sample_ratio_design_effect(90, array[0.01, 0.5, 0.01], array[1, 0, 3])", 4.8),
    ]

    static let clustered: [(expression: String, value: Double)] = [
        ("wilson_low(3, 30, 2)", 0.023438042329550022),
        ("wilson_high(3, 30, 2)", 0.33966859849912888),
        ("wilson_low(123, 4567, 1.37)", 0.021957665015891493),
        ("wilson_high(123, 4567, 1.37)", 0.032996043826510593),
        ("wilson_low(999999, 1000000, 12.5)", 0.99995000416711998),
        ("wilson_high(999999, 1000000, 12.5)", 0.99999997999929341),
        ("wilson_low(4000, 2000000, 1)", 0.001939031700273931),
        ("wilson_high(4000, 2000000, 1)", 0.002062881342544337),
        ("wilson_low(50, 100, 100)", 0.054620755528851959),
        ("wilson_high(50, 100, 100)", 0.94537924447114804),
        ("difference_low(56, 70, 48, 80, 1.5, 2)", 0.0076783937447704488),
        ("difference_high(56, 70, 48, 80, 1.5, 2)", 0.37832080859178256),
        ("two_proportion_p(56, 70, 48, 80, 1.5, 2)", 0.041273266642502329),
        ("difference_low(200, 4000, 160, 4100, 3.25, 2.75)", -0.0045182946861936007),
        ("difference_high(200, 4000, 160, 4100, 3.25, 2.75)", 0.027153986522638602),
        ("two_proportion_p(200, 4000, 160, 4100, 3.25, 2.75)", 0.1646142718968063),
        ("difference_low(3, 1500, 9, 1500, 1, 1.1)", -0.0098602156414722712),
        ("difference_high(3, 1500, 9, 1500, 1, 1.1)", 0.00085169017221676761),
        ("two_proportion_p(3, 1500, 9, 1500, 1, 1.1)", 0.08650158703648002),
        ("difference_low(5000, 1000000, 5300, 1000000, 1.9, 8)", -0.00075790697420870846),
        ("difference_high(5000, 1000000, 5300, 1000000, 1.9, 8)", 0.00013351974700416706),
        ("two_proportion_p(5000, 1000000, 5300, 1000000, 1.9, 8)", 0.17891414769612057),
        ("difference_low(0, 400, 6, 380, 1, 1.2)", -0.036423295791661553),
        ("difference_high(0, 400, 6, 380, 1, 1.2)", -0.0026758701676108722),
        ("two_proportion_p(0, 400, 6, 380, 1, 1.2)", 0.011671084079954228),
        ("difference_low(56, 70, 48, 80, 1, 1)", 0.052431472402364878),
        ("difference_high(56, 70, 48, 80, 1, 1)", 0.33387265403690598),
        ("two_proportion_p(56, 70, 48, 80, 1, 1)", 0.0080450813681965847),
        ("sample_ratio_p(array[5200, 4800], array[1, 1], 4.5)", 0.059346438791919877),
        ("sample_ratio_p(array[9000, 1400], array[9, 1], 1.7)", 1.7993750428639138e-19),
        ("sample_ratio_p(array[100, 230, 90], array[1, 2, 1], 2)", 0.34251885509304561),
    ]

    static let anytime: [(expression: String, value: Double)] = [
        ("difference_low_anytime(120, 1000, 100, 1000, 1, 1, 10000, 1)", -0.02719211469260795),
        ("difference_high_anytime(120, 1000, 100, 1000, 1, 1, 10000, 1)", 0.06719211469260795),
        ("p_anytime(120, 1000, 100, 1000, 1, 1, 10000, 1)", 0.86232463625038761),
        ("difference_low_anytime(600, 10000, 500, 10000, 1.8, 2.2, 20000, 2)", -0.0051040858257790658),
        ("difference_high_anytime(600, 10000, 500, 10000, 1.8, 2.2, 20000, 2)", 0.025104085825779066),
        ("p_anytime(600, 10000, 500, 10000, 1.8, 2.2, 20000, 2)", 0.65038343531181909),
        ("difference_low_anytime(0, 30, 0, 30, 1, 1, 10000, 1)", -0.5177877053581618),
        ("difference_high_anytime(0, 30, 0, 30, 1, 1, 10000, 1)", 0.5177877053581618),
        ("p_anytime(0, 30, 0, 30, 1, 1, 10000, 1)", 1.0),
        ("difference_low_anytime(3, 1500, 9, 1500, 1, 1.1, 10000, 3)", -0.013231832798717083),
        ("difference_high_anytime(3, 1500, 9, 1500, 1, 1.1, 10000, 3)", 0.0052318327987170827),
        ("p_anytime(3, 1500, 9, 1500, 1, 1.1, 10000, 3)", 1.0),
        ("difference_low_anytime(52000, 1000000, 50000, 1000000, 1.3, 1, 100000, 1)", 0.00089103363578881963),
        ("difference_high_anytime(52000, 1000000, 50000, 1000000, 1.3, 1, 100000, 1)", 0.0031089663642111804),
        ("p_anytime(52000, 1000000, 50000, 1000000, 1.3, 1, 100000, 1)", 2.2198307477447548e-7),
        ("difference_low_anytime(5, 5, 0, 5, 1, 1, 500, 4)", -0.55785553985596365),
        ("difference_high_anytime(5, 5, 0, 5, 1, 1, 500, 4)", 2.5578555398559636),
        ("p_anytime(5, 5, 0, 5, 1, 1, 500, 4)", 0.69723113434069318),
        ("sample_ratio_p_anytime(array[60, 40], array[1, 1])", 1.0),
        ("sample_ratio_p_anytime(array[600, 400], array[1, 1])", 4.6385419821237836e-8),
        ("sample_ratio_p_anytime(array[5200, 4800], array[1, 1])", 0.026732364763398513),
        ("sample_ratio_p_anytime(array[50100000, 49900000], array[1, 1])", 1.1040446730932065e-83),
        ("sample_ratio_p_anytime(array[100, 230, 90], array[1, 2, 1])", 1.0),
        ("sample_ratio_p_anytime(array[1000, 10], array[99, 1])", 1.0),
        ("sample_ratio_p_anytime(array[1000, 40], array[99, 1])", 2.5858032524599092e-9),
        ("sample_ratio_p_anytime(array[3, 0], array[1, 1])", 0.5),
        ("sample_ratio_p_anytime(array[501000, 500000, 499500], array[1, 1, 1])", 1.0),
        ("sample_ratio_p_anytime(array[9000, 1400], array[9, 1], 1.7)", 6.4389045628137168e-15),
        ("sample_ratio_p_anytime(array[5200, 4800], array[1, 1], 4.5)", 1.0),
        ("sample_ratio_p_anytime(array[10, 10, 0], array[1, 1, 0])", 1.0),
        ("sample_ratio_p_anytime(array[300000000, 299900000], array[1, 1])", 1.0),
    ]

    static let detectableEffects: [(expression: String, value: Double)] = [
        ("detectable_effect(3841, 384, 3840, 1, 1)", 0.020000985295398258),
        ("detectable_effect(1000, 50, 1000, 1, 1)", 0.030976863623491758),
        ("detectable_effect(100000, 200, 100000, 1.5, 2)", 0.00081621505786524876),
        ("detectable_effect(500, 0, 400, 1, 1)", 0.018170297298241346),
        ("detectable_effect(1000000, 5000, 20000, 3, 1)", 0.0089010561637135634),
        ("detectable_effect(40, 10, 35, 1, 1)", 0.31738289847685092),
    ]
}
