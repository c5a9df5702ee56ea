import ReferenceModel
import Testing

@Suite struct ExperimentTests {
    /// The deliveries of a variant of `spring`, some of which converted.
    private func arm(_ variant: Identifier, _ sent: Int, converted: Int) -> [ModelEvent] {
        (0..<sent).flatMap { number in
            let notification = Identifier("\(variant.text) \(number)")
            func happened(_ kind: ModelKind) -> ModelEvent {
                event(kind, notification) { ($0.campaign, $0.variant) = ("spring", variant) }
            }
            return [happened(.sent)] + (number < converted ? [happened(.converted)] : [])
        }
    }

    private func experiment(
        _ events: [ModelEvent],
        _ variants: DeclaredVariant...,
        change: (inout Selection) -> Void = { _ in }
    ) throws -> [ModelRow] {
        let declarations = Declarations(campaigns: [Campaign("spring", variants: variants)])
        return experimentReport(events: events, declarations: declarations, selection: try selection(change))
    }

    @Test func `a variant is compared with the declared control`() throws {
        let rows = try experiment(
            arm("a", 70, converted: 56) + arm("b", 80, converted: 48),
            DeclaredVariant("a"), DeclaredVariant("b", isControl: true))
        #expect(rows.map { $0["variant"] } == [.text("b"), .text("a")])
        #expect(rows.map { $0["control"] } == [.bool(true), .bool(false)])
        // Newcombe (1998), table II, method 10, example a.
        let compared = try #require(rows.last)
        #expect(abs((compared.rate("difference") ?? 0) - 0.2) < 1e-12)
        #expect(abs((compared.rate("difference_low") ?? 0) - 0.0524) < 1e-4)
        #expect(abs((compared.rate("difference_high") ?? 0) - 0.3339) < 1e-4)
        #expect(abs((compared.rate("p") ?? 0) - 0.0080450813681966) < 1e-12)
        #expect(rows[0]["difference"] == .null && rows[0]["p_holm"] == .null && rows[0]["n_needed"] == .null)
    }

    @Test func `the control is the first declared variant if none is marked, otherwise the first variant`() throws {
        let events = arm("a", 3, converted: 1) + arm("b", 3, converted: 1)
        #expect(try experiment(events, DeclaredVariant("b")).map { $0["variant"] } == [.text("b"), .text("a")])
        #expect(try experiment(events).map { $0["variant"] } == [.text("a"), .text("b")])
    }

    @Test func `a declared variant without deliveries has a row in every selection that contains its campaign`() throws
    {
        let variants = (DeclaredVariant("a"), DeclaredVariant("b"))
        let rows = try experiment(arm("a", 3, converted: 1), variants.0, variants.1) { $0.category = nil }
        #expect(rows.map { $0.counts("base_n") } == [[3], [0]])
        #expect(try experiment([], variants.0, variants.1).count == 2)
        #expect(try experiment([], variants.0, variants.1) { $0.from = clock(0) }.isEmpty)
        #expect(try experiment([], variants.0, variants.1) { ($0.from, $0.campaign) = (clock(0), "spring") }.count == 2)
    }

    @Test func `the sample ratio is tested against the declared weights`() throws {
        let events = arm("a", 30, converted: 0) + arm("b", 10, converted: 0) + arm("c", 50, converted: 0)
        let even = try experiment(events, DeclaredVariant("a"), DeclaredVariant("b"))
        // (30 - 20)^2 / 20 + (10 - 20)^2 / 20 = 10 with one degree of freedom.
        #expect(even.allSatisfy { abs(($0.rate("sample_ratio_p") ?? 0) - 0.001565402258002549) < 1e-12 })
        let uneven = try experiment(events, DeclaredVariant("a", weight: 3), DeclaredVariant("b"))
        #expect(uneven.allSatisfy { $0.rate("sample_ratio_p") == 1 })
        #expect(try experiment(events, DeclaredVariant("a")).allSatisfy { $0["sample_ratio_p"] == .null })
    }

    @Test func `the comparison is suppressed if either variant is below min_n`() throws {
        let events = arm("a", 30, converted: 3) + arm("b", 29, converted: 3)
        let rows = try experiment(events) { $0.minN = 30 }
        #expect(rows.map { $0["suppressed"] } == [.bool(false), .bool(true)])
        #expect(rows[1]["p"] == .null && rows[1]["difference"] == .null)
    }

    /// Deliveries of some devices, `perDevice` each, of which every device converts all or none.
    private func clustered(_ variant: Identifier, devices: Range<Int>, perDevice: Int) -> [ModelEvent] {
        devices.flatMap { device in
            (0..<perDevice).flatMap { number in
                func happened(_ kind: ModelKind) -> ModelEvent {
                    var happened = event(kind, Identifier("n\(number)")) {
                        ($0.campaign, $0.variant) = ("spring", variant)
                    }
                    happened.deviceID = Identifier("device \(device)")
                    return happened
                }
                return [happened(.sent)] + (device % 5 == 0 ? [happened(.converted)] : [])
            }
        }
    }

    @Test func `deliveries that are alike within devices widen the intervals`() throws {
        func rows(_ perDevice: Int) throws -> [ModelRow] {
            try experiment(
                clustered("a", devices: 0..<200, perDevice: perDevice)
                    + clustered("b", devices: 200..<400, perDevice: perDevice),
                DeclaredVariant("a"), DeclaredVariant("b"))
        }
        let (single, several) = (try rows(1), try rows(10))
        #expect(several.map { $0["deliveries_per_device"] } == [.double(10), .double(10)])
        #expect(several.map { $0["devices"] } == [.int(200), .int(200)])
        for (one, ten) in zip(single, several) {
            // Ten times the deliveries say nothing that one of each device did not say.
            #expect((one.rate("design_effect") ?? 0) < 2 && (ten.rate("design_effect") ?? 0) > 5)
            for bound in ["conversion_rate_low", "conversion_rate_high"] {
                #expect(abs((ten.rate(bound) ?? 0) - (one.rate(bound) ?? 0)) < 0.02)
            }
        }
    }

    @Test func `a verdict is better once the anytime interval leaves out zero, and equivalent within the margin`()
        throws
    {
        func verdict(_ sizes: Int, _ converted: Int) throws -> ModelValue? {
            try experiment(
                arm("a", sizes, converted: sizes / 10) + arm("b", sizes, converted: converted), DeclaredVariant("a"),
                DeclaredVariant("b"), change: { $0.minN = 30 }
            ).last?["verdict"]
        }
        #expect(try verdict(1_000, 250) == .text("better"))
        #expect(try verdict(1_000, 20) == .text("worse"))
        #expect(try verdict(20, 10) == .text("waiting"))
    }

    @Test func `nothing is equivalent while most deliveries can still convert`() throws {
        func verdict(asOf: Int) throws -> ModelValue? {
            try experiment(
                arm("a", 1_000, converted: 0) + arm("b", 1_000, converted: 0), DeclaredVariant("a"),
                DeclaredVariant("b"), change: { $0.asOf = asOf }
            ).last?["verdict"]
        }
        #expect(try verdict(asOf: clock(11)) == .text("waiting"))
        #expect(try verdict(asOf: clock(30 * 24)) == .text("equivalent"))
    }

    @Test func `variants that are declared widen the interval before they have deliveries`() throws {
        func low(_ variants: DeclaredVariant...) throws -> Double? {
            let events = arm("a", 100, converted: 10) + arm("b", 100, converted: 20)
            let declarations = Declarations(campaigns: [Campaign("spring", variants: variants)])
            let selection = try selection { $0.minN = 1 }
            return experimentReport(events: events, declarations: declarations, selection: selection)
                .first { $0["variant"] == .text("b") }?.rate("difference_low_anytime")
        }
        let two = try #require(try low(DeclaredVariant("a"), DeclaredVariant("b")))
        let three = try #require(try low(DeclaredVariant("a"), DeclaredVariant("b"), DeclaredVariant("c")))
        #expect(three < two)
    }

    @Test func `Holm's method keeps the order and skips nil values`() {
        #expect(holm([0.01, 0.04, 0.03]) == [0.03, 0.06, 0.06])
        #expect(holm([0.02, nil, 0.01]) == [0.02, nil, 0.02])
        #expect(holm([0.6, 0.9, nil]) == [1, 1, nil])
    }

    @Test func `the chi-square survival function has the published values`() {
        // The 0.95 quantiles of published tables with 1, 2, 3 and 10 degrees of freedom.
        let quantiles = [
            (3.841458820694124, 1), (5.991464547107979, 2), (7.814727903251179, 3), (18.307038053275146, 10),
        ]
        for (quantile, degrees) in quantiles {
            #expect(abs(chiSquareSurvival(quantile, degrees: degrees) - 0.05) < 1e-13)
        }
    }
}
