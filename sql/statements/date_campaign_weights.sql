-- Notes that the weights of a campaign change, before delete_campaign_variants and put_campaign_variant change them.
-- Weights that stay the same keep the time of their declaration.
-- $1: app_id. $2: campaign_id. $3: the new variants. $4: their weights, as text.
update afterpush.campaigns
set weights_declared_at = now()
where app_id = $1
  and campaign_id = $2
  and exists (
      select
      from (
          select v.variant, v.weight
          from afterpush.campaign_variants as v
          where v.app_id = $1
            and v.campaign_id = $2
      ) as old
      full join unnest($3::text[] collate "C", $4::text[]) as new (variant, weight) using (variant)
      where old.weight is distinct from new.weight::double precision
  )
