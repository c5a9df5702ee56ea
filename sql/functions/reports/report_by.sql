-- The columns that a report's `by` stands for, as text to put into the statement: "campaign,day" gives
-- by_columns 'campaign_id, day,', by_group 'campaign_id, day' and by_order 'campaign_id nulls last, day nulls last'.
create or replace function afterpush.report_by(by text) returns table (by_columns text, by_group text, by_order text)
language plpgsql
immutable
as $$
declare
    words text[] := string_to_array(nullif(by, ''), ',');
    known constant text[] := array['campaign', 'category', 'variant', 'platform', 'day', 'hour', 'app_version'];
    columns constant text[] := array['campaign_id', 'category_id', 'variant', 'platform', 'day', 'hour', 'app_version'];
    chosen text[] := '{}';
    word text;
begin
    if cardinality(words) > 2 then
        raise exception 'by: at most two groups, not %', by using errcode = 'invalid_parameter_value';
    end if;
    foreach word in array coalesce(words, '{}') loop
        if array_position(known, word) is null then
            raise exception 'by: % must be one of %', word, array_to_string(known, ', ')
                using errcode = 'invalid_parameter_value';
        end if;
        if columns[array_position(known, word)] = any (chosen) then
            raise exception 'by: % is given twice', word using errcode = 'invalid_parameter_value';
        end if;
        chosen := chosen || columns[array_position(known, word)];
    end loop;
    if 'app_version' = any (chosen) and chosen && array['campaign_id', 'category_id', 'variant', 'hour'] then
        raise exception 'by: app_version can only be combined with day or platform'
            using errcode = 'invalid_parameter_value';
    end if;
    return query select
        case when words is null then '' else array_to_string(chosen, ', ') || ',' end,
        case when words is null then '()' else array_to_string(chosen, ', ') end,
        case when words is null then '1' else array_to_string(chosen, ' nulls last, ') || ' nulls last' end;
end
$$;
comment on function afterpush.report_by is
    'The columns that a report''s `by` stands for, as text for the statement.';
