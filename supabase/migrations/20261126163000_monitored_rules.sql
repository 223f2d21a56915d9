-- Rules in monitor mode: where they would have applied.

create index decisions_monitored on quorate.decisions (workspace_id, decided_at desc) where context ? 'monitored';

-- Where the rules of a policy would have applied that are in monitor mode. Numbers alone, like those above.
create function quorate.count_monitored(p_policy text, p_since timestamptz) returns table (rule text, verdict text, decisions int)
language sql stable security definer set search_path = '' as $$
  select m ->> 'rule', m ->> 'verdict', count(*)::int
    from quorate.decisions d cross join lateral pg_catalog.jsonb_array_elements(d.context -> 'monitored') m
  where d.workspace_id = quorate.current_workspace_id() and d.decided_at >= p_since and d.context ? 'monitored'
    and m ->> 'policyId' = p_policy
    group by 1, 2 order by 1, 2
$$;

revoke all on function quorate.count_monitored(text, timestamptz) from public;
grant execute on function quorate.count_monitored(text, timestamptz) to quorate_member;
