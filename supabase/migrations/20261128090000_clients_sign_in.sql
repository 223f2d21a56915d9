-- Clients sign in: the authorization server's records, and keys that a client has by a person's consent.
alter table quorate.api_keys add column grant_id text unique, add column client_id text, add column resource text,
  add constraint api_keys_client check ((grant_id is null) = (client_id is null) and (grant_id is null) = (resource is null));

create table quorate.authorization_records (
  kind text not null check (length(kind) between 1 and 40),
  -- SHA-256 of what its holder has: a code, a token, an id.
  id_hash bytea not null check (octet_length(id_hash) = 32),
  -- Sealed by the instance.
  payload bytea not null check (octet_length(payload) <= 65536),
  grant_id text,
  uid_hash bytea check (octet_length(uid_hash) = 32),
  scopes text[],
  -- Null: a client that registered.
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (kind, id_hash)
);
create index authorization_records_grant on quorate.authorization_records (grant_id) where grant_id is not null;
create index authorization_records_uid on quorate.authorization_records (uid_hash) where uid_hash is not null;
create index authorization_records_over on quorate.authorization_records (expires_at) where expires_at is not null;
alter table quorate.authorization_records enable row level security;

drop function quorate.become_key(bytea);
create function quorate.become_key(p_key_hash bytea)
  returns table (key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, roles text[],
    scopes text[], expires_at timestamptz, resource text)
language plpgsql security definer set search_path = '' as $$
declare k record;
begin
  perform quorate.require_session();
  select a.id, a.name, a.user_id, a.workspace_id, a.scopes, a.expires_at, a.last_used_at, m.user_id as member_id, m.name as member, m.roles,
    w.name as workspace, a.grant_id, a.resource
    into k from quorate.api_keys a join quorate.workspaces w on w.id = a.workspace_id
    left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
      and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp())
    where a.id = coalesce((select x.id from quorate.api_keys x where x.key_hash = p_key_hash), quorate.key_of_token(p_key_hash))
      and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  if k.member_id is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  key_id := k.id; key_name := k.name; user_id := k.user_id; user_name := k.member; workspace_id := k.workspace_id;
  workspace_name := k.workspace; scopes := k.scopes; expires_at := k.expires_at; resource := k.resource;
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

drop function quorate.open_call(bytea, int, int, boolean);
create function quorate.open_call(p_key_hash bytea, p_usual int, p_ceiling int, p_serves boolean) returns table (
  key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, slug text, plan text,
  trial_ends_at timestamptz, settings jsonb, roles text[], scopes text[], expires_at timestamptz, wait int, revision text, resource text
)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare v_chosen jsonb; v_pace numeric := p_usual;
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true), pg_catalog.set_config('role', 'quorate_member', true);
  select k.key_id, k.key_name, k.user_id, k.user_name, k.workspace_id, k.workspace_name, k.roles, k.scopes, k.expires_at,
    k.resource
  into key_id, key_name, user_id, user_name, workspace_id, workspace_name, roles, scopes, expires_at, resource
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

create function quorate.key_of_token(p_token_hash bytea) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (select a.id from quorate.authorization_records t join quorate.api_keys a on a.grant_id = t.grant_id
    where t.kind = 'AccessToken' and t.id_hash = p_token_hash and t.expires_at > now());
end $$;

create function quorate.scopes_of_token(p_token_hash bytea, p_granted text[]) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return array(select unnest(p_granted) intersect select unnest(t.scopes) from quorate.authorization_records t
    where t.kind = 'AccessToken' and t.id_hash = p_token_hash order by 1);
end $$;

create function quorate.put_authorization_record(p_kind text, p_id_hash bytea, p_payload bytea, p_grant text, p_uid_hash bytea,
  p_scopes text[], p_expires_at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  delete from quorate.authorization_records r where (r.kind, r.id_hash) in (
    select o.kind, o.id_hash from quorate.authorization_records o where o.expires_at < now() - interval '1 hour'
    order by o.expires_at limit 20 for update skip locked);
  insert into quorate.authorization_records as r (kind, id_hash, payload, grant_id, uid_hash, scopes, expires_at)
    values (p_kind, p_id_hash, p_payload, p_grant, p_uid_hash, p_scopes, p_expires_at)
    on conflict (kind, id_hash) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid_hash = excluded.uid_hash,
      scopes = excluded.scopes, expires_at = excluded.expires_at;
end $$;

create function quorate.find_authorization_record(p_kind text, p_id_hash bytea, p_uid_hash bytea)
returns table (payload bytea, id_hash bytea, consumed_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return query select r.payload, r.id_hash, r.consumed_at from quorate.authorization_records r
    where r.kind = p_kind and (r.id_hash = p_id_hash or r.uid_hash = p_uid_hash) and (r.expires_at is null or r.expires_at > now())
      and (r.grant_id is null or r.kind not in ('AccessToken', 'RefreshToken', 'AuthorizationCode') or exists (
        select from quorate.api_keys a join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
          and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp())
        where a.grant_id = r.grant_id and a.revoked_at is null and a.expires_at > now()));
end $$;

create function quorate.consume_authorization_record(p_kind text, p_id_hash bytea) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  update quorate.authorization_records r set consumed_at = now()
    where r.kind = p_kind and r.id_hash = p_id_hash and r.consumed_at is null and (r.expires_at is null or r.expires_at > now());
  return found;
end $$;

create function quorate.drop_authorization_record(p_kind text, p_id_hash bytea) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  delete from quorate.authorization_records r where r.kind = p_kind and r.id_hash = p_id_hash;
end $$;

create function quorate.end_authorization_grant(p_grant text, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare a record;
begin
  perform quorate.require_session();
  delete from quorate.authorization_records r where r.grant_id = p_grant;
  update quorate.api_keys x set revoked_at = now() where x.grant_id = p_grant and x.revoked_at is null
    returning x.id, x.workspace_id, x.name, x.client_id into a;
  if a.id is null then return false; end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, a.workspace_id, 'system', 'apiKey.revoked', 'apiKey', a.id::text, a.name,
      pg_catalog.jsonb_build_object('client', a.client_id, 'by', 'client'),
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return true;
end $$;

revoke all on function quorate.key_of_token(bytea), quorate.scopes_of_token(bytea, text[]),
  quorate.put_authorization_record(text, bytea, bytea, text, bytea, text[], timestamptz),
  quorate.find_authorization_record(text, bytea, bytea), quorate.consume_authorization_record(text, bytea),
  quorate.drop_authorization_record(text, bytea), quorate.end_authorization_grant(text, uuid) from public;
grant execute on function quorate.put_authorization_record(text, bytea, bytea, text, bytea, text[], timestamptz),
  quorate.find_authorization_record(text, bytea, bytea), quorate.consume_authorization_record(text, bytea),
  quorate.drop_authorization_record(text, bytea), quorate.end_authorization_grant(text, uuid) to quorate_app;
revoke all on function quorate.become_key(bytea), quorate.open_call(bytea, int, int, boolean) from public;
grant execute on function quorate.become_key(bytea) to quorate_member;
grant execute on function quorate.open_call(bytea, int, int, boolean) to quorate_app;
