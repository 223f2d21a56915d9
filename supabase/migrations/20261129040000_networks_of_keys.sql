-- A key may be used from some networks alone.
alter table quorate.api_keys add column networks text[] not null default '{}' check (cardinality(networks) <= 20);

drop function quorate.open_call(bytea, int, int, boolean);
drop function quorate.become_key(bytea);

create function quorate.become_key(p_key_hash bytea)
  returns table (key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, roles text[],
    scopes text[], expires_at timestamptz, resource text, networks text[])
language plpgsql security definer set search_path = '' as $$
declare k record;
begin
  perform quorate.require_session();
  select a.id, a.name, a.user_id, a.workspace_id, a.scopes, a.expires_at, a.last_used_at, m.user_id as member_id, m.name as member, m.roles,
    w.name as workspace, a.grant_id, a.resource, a.networks
    into k from quorate.api_keys a join quorate.workspaces w on w.id = a.workspace_id
    left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
      and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp())
    where a.id = coalesce((select x.id from quorate.api_keys x where x.key_hash = p_key_hash), quorate.key_of_token(p_key_hash))
      and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  if k.member_id is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  key_id := k.id; key_name := k.name; user_id := k.user_id; user_name := k.member; workspace_id := k.workspace_id;
  workspace_name := k.workspace; scopes := k.scopes; expires_at := k.expires_at; resource := k.resource;
  networks := k.networks;
  if k.grant_id is not null then scopes := quorate.scopes_of_token(p_key_hash, k.scopes); end if;
  -- an admin's key reads what an auditor reads, and administers nothing
  roles := array(select distinct case when r = 'admin' then 'auditor' else r end from unnest(k.roles || '{user}') r order by 1);
  perform quorate.open_principal(k.user_id, null, k.workspace_id, roles, k.id, scopes, null);
  if k.last_used_at is null or k.last_used_at < now() - interval '1 minute' then
    update quorate.api_keys a set last_used_at = now()
      where a.id = k.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  end if;
  return next;
end $$;

create function quorate.open_call(p_key_hash bytea, p_usual int, p_ceiling int, p_serves boolean) returns table (
  key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, slug text, plan text,
  trial_ends_at timestamptz, settings jsonb, roles text[], scopes text[], expires_at timestamptz, wait int, revision text, resource text,
  networks text[]
)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare v_chosen jsonb; v_pace numeric := p_usual;
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true), pg_catalog.set_config('role', 'quorate_member', true);
  select k.key_id, k.key_name, k.user_id, k.user_name, k.workspace_id, k.workspace_name, k.roles, k.scopes, k.expires_at,
    k.resource, k.networks
  into key_id, key_name, user_id, user_name, workspace_id, workspace_name, roles, scopes, expires_at, resource, networks
  from quorate.become_key(p_key_hash) k;
  select w.slug, w.plan, w.trial_ends_at, w.settings into slug, plan, trial_ends_at, settings
  from quorate.workspaces w where w.id = open_call.workspace_id;
  if not found then raise exception 'unknown key' using errcode = 'QP003'; end if;
  v_chosen := settings #> '{paces,keys}';
  if pg_catalog.jsonb_typeof(v_chosen) = 'number' then
    if v_chosen::numeric >= 1 and v_chosen::numeric = pg_catalog.trunc(v_chosen::numeric) then v_pace := v_chosen::numeric; end if;
  end if;
  perform pg_catalog.set_config('role', 'none', true);
  wait := quorate.take_limit('keyPace:' || pg_catalog.translate(pg_catalog.encode(pg_catalog.sha256(
    pg_catalog.convert_to(key_id::text, 'UTF8')), 'base64'), '+/=', '-_'), least(v_pace, p_ceiling)::int, 60);
  if p_serves and wait = 0 then
    perform pg_catalog.set_config('role', 'quorate_member', true);
    revision := quorate.served_revision(open_call.workspace_id);
  end if;
  return next;
end $$;

revoke all on function quorate.become_key(bytea), quorate.open_call(bytea, int, int, boolean) from public;
grant execute on function quorate.become_key(bytea) to quorate_member;
grant execute on function quorate.open_call(bytea, int, int, boolean) to quorate_app;
