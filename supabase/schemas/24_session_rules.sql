-- What a workspace asks of the sessions of its people (`workspaces.session_rules`): how long they last, how long they may be idle, a second
-- factor, and from where. Null, false and an empty list ask for nothing.

-- A network (CIDR), or an address, without the interface that an address of a link may name; null for anything else.
create function quorate.network_of(p_text text) returns inet language plpgsql immutable set search_path = '' as $$
begin
  -- an IPv4 address in the clothes of IPv6 is that IPv4 address
  return pg_catalog.regexp_replace(pg_catalog.regexp_replace(p_text, '%.*$', ''), '^::ffff:(\d+\.\d+\.\d+\.\d+)$', '\1', 'i')::inet;
exception when others then return null;
end $$;

-- Whether an address is of one of these networks, or there are none. False on doubt.
create function quorate.is_within(p_address text, p_networks jsonb) returns boolean language sql immutable set search_path = '' as $$
  select p_networks = '[]' or exists (select from pg_catalog.jsonb_array_elements_text(p_networks) n
    where coalesce(quorate.network_of(p_address) operator(pg_catalog.<<=) quorate.network_of(n), false))
$$;

create function quorate.is_session_rules(p_rules jsonb) returns boolean language plpgsql immutable set search_path = '' as $$
declare v_limit record;
begin
  if p_rules is distinct from pg_catalog.jsonb_build_object('hours', p_rules -> 'hours', 'idleMinutes', p_rules -> 'idleMinutes',
    'factor', p_rules -> 'factor', 'networks', p_rules -> 'networks') or pg_catalog.jsonb_typeof(p_rules -> 'factor') <> 'boolean'
    or pg_catalog.jsonb_typeof(p_rules -> 'networks') <> 'array' then return false; end if;
  for v_limit in select * from (values ('hours', 1, 720), ('idleMinutes', 5, 10080)) l (name, least, most) loop
    if p_rules -> v_limit.name = 'null' then continue; end if;
    if pg_catalog.jsonb_typeof(p_rules -> v_limit.name) <> 'number' then return false; end if;
    if (p_rules ->> v_limit.name)::numeric not between v_limit.least and v_limit.most
      or (p_rules ->> v_limit.name)::numeric % 1 <> 0 then return false; end if;
  end loop;
  return pg_catalog.jsonb_array_length(p_rules -> 'networks') <= 50
    and not exists (select from pg_catalog.jsonb_array_elements(p_rules -> 'networks') n
      where pg_catalog.jsonb_typeof(n) <> 'string' or quorate.network_of(n #>> '{}') is null);
end $$;

-- Whether these rules let a session through that those would not have.
create function quorate.loosens_sessions(p_before jsonb, p_after jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(
    (p_before -> 'factor')::boolean and not (p_after -> 'factor')::boolean
    or exists (select from unnest(array['hours', 'idleMinutes']) l where p_before -> l <> 'null'
      and (p_after -> l = 'null' or (p_after ->> l)::numeric > (p_before ->> l)::numeric))
    or p_before -> 'networks' <> '[]' and (p_after -> 'networks' = '[]' or exists (
      select from pg_catalog.jsonb_array_elements_text(p_after -> 'networks') n where not quorate.is_within(n, p_before -> 'networks'))),
    true)
$$;

-- Nobody loosens them alone, and what may not count is nobody's to write.
create function quorate.guard_session_rules() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' then
    if not quorate.is_session_rules(new.session_rules) then
      raise exception 'these cannot be the rules of sessions' using errcode = 'QS004';
    end if;
    if quorate.loosens_sessions(old.session_rules, new.session_rules)
      and quorate.needs_second_person(new.id, quorate.current_user_id(), null) then
      raise exception 'a second person agrees to looser sessions' using errcode = 'QP005';
    end if;
  end if;
  return new;
end $$;

-- Whether a workspace of this person asks its people for a second factor.
create function quorate.is_asked_for_factor(p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user and (w.session_rules -> 'factor')::boolean
      and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp()))
$$;

-- What this session still owes a workspace: `address`, it is used from elsewhere; `again`, it is too old or was idle too long; `factor`, it
-- has shown none; null: nothing. Whoever is exempt from the sign-in of the company is from the networks too, so that a network that is
-- gone locks nobody out. Of a session that was idle once, later use does not make another one. A factor counts that was shown to us, to the
-- account service (`aal`), or to the company's provider, which says so (RFC 8176).
create function quorate.session_owes(p_user uuid, p_session uuid, p_workspace uuid, p_address text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare r jsonb; v_exempt boolean; v_begun timestamptz; v_idle numeric; v_aal text;
begin
  select w.session_rules, coalesce(w.sign_in -> 'exempt' ? p_user::text, false) into r, v_exempt
    from quorate.workspaces w where w.id = p_workspace;
  if r is null or r = '{"hours": null, "idleMinutes": null, "factor": false, "networks": []}' then return null; end if;
  if not v_exempt and not quorate.is_within(coalesce(p_address, ''), r -> 'networks') then return 'address'; end if;
  select coalesce(s.created_at, u.first_seen_at, 'epoch'), pg_catalog.to_jsonb(s) ->> 'aal',
      greatest(u.longest_idle, extract(epoch from now() - coalesce(u.last_seen_at, s.created_at, 'epoch')))
    into v_begun, v_aal, v_idle
    from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id where s.id = p_session and s.user_id = p_user;
  if v_begun is null or r -> 'hours' <> 'null' and v_begun <= now() - pg_catalog.make_interval(hours => (r -> 'hours')::int)
    or r -> 'idleMinutes' <> 'null' and v_idle >= (r -> 'idleMinutes')::int * 60 then return 'again'; end if;
  if (r -> 'factor')::boolean and v_aal is distinct from 'aal2'
    and not exists (select from quorate.session_factors f where f.session_id = p_session and f.user_id = p_user)
    and not exists (select from quorate.recovered_sessions c where c.session_id = p_session and c.user_id = p_user)
    and not exists (select from quorate.company_sessions c where c.session_id = p_session and c.workspace_id = p_workspace
      and c.amr && array['mfa', 'otp', 'hwk', 'swk', 'sc', 'fpt', 'face']) then return 'factor'; end if;
  return null;
end $$;

create trigger guard_session_rules before update on quorate.workspaces for each row
  when (old.session_rules is distinct from new.session_rules) execute function quorate.guard_session_rules();

revoke all on function quorate.network_of(text), quorate.is_within(text, jsonb), quorate.is_session_rules(jsonb),
  quorate.loosens_sessions(jsonb, jsonb), quorate.guard_session_rules(), quorate.is_asked_for_factor(uuid),
  quorate.session_owes(uuid, uuid, uuid, text) from public;
grant execute on function quorate.network_of(text), quorate.is_within(text, jsonb), quorate.is_session_rules(jsonb),
  quorate.loosens_sessions(jsonb, jsonb) to quorate_member;
