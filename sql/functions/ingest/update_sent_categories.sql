-- Trigger on sends: keeps sent_categories, and notes the apps whose sends state a category that they did not state before.
--
-- It doesn't decide about texts, because the client that declares sends waits for it, and an app may have any number of
-- texts. Sends that change nothing lock no row.
--
-- A new category can only help the texts of its campaign if that campaign and variant had no sends before: once their
-- sends differ, they no longer state one.
create or replace function afterpush.update_sent_categories() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    with stated as (
        select
            d.app_id, d.campaign_id, coalesce(d.variant, '') as variant,
            case
                when count(*) = count(d.category_id) and min(d.category_id) = max(d.category_id)
                then min(d.category_id)
            end as category_id
        from declared as d
        group by d.app_id, d.campaign_id, coalesce(d.variant, '')
    ),
    changed as (
        insert into afterpush.sent_categories as c (app_id, campaign_id, variant, category_id)
        select s.app_id, s.campaign_id, s.variant, s.category_id
        from stated as s
        where not exists (
            select
            from afterpush.sent_categories as c
            where (c.app_id, c.campaign_id, c.variant) = (s.app_id, s.campaign_id, s.variant)
              and (c.category_id is null or c.category_id = s.category_id)
        )
        order by s.app_id, s.campaign_id, s.variant
        on conflict (app_id, campaign_id, variant) do update set category_id = null
            where c.category_id is distinct from excluded.category_id
        returning c.app_id, c.category_id
    )
    insert into afterpush.undecided_apps (app_id)
    select a.app_id
    from (select distinct c.app_id from changed as c where c.category_id is not null) as a
    cross join lateral afterpush.text_periods(a.app_id) as p
    where p.shortest < p.longest;
    return null;
end
$$;
comment on function afterpush.update_sent_categories is
    'Trigger: keeps what the declared sends of a campaign and variant state as their category.';

create or replace trigger update_sent_categories after insert on afterpush.sends
    referencing new table as declared
    for each statement
    execute function afterpush.update_sent_categories();
