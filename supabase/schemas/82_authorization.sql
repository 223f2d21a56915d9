-- The authorization server: the clients that registered, and what lasts between a request and its tokens. It belongs to no workspace:
-- before a person has chosen one there is none. What a token may do, its pace, its end and its revocation are those of the key that the
-- person's consent has made (`api_keys.grant_id`).

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

-- The key that a client's access token stands for, or null. For `become_key`, as its owner.
create function quorate.key_of_token(p_token_hash bytea) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (select a.id from quorate.authorization_records t join quorate.api_keys a on a.grant_id = t.grant_id
    where t.kind = 'AccessToken' and t.id_hash = p_token_hash and t.expires_at > now());
end $$;

-- Of the scopes that the person has granted those that this token has.
create function quorate.scopes_of_token(p_token_hash bytea, p_granted text[]) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return array(select unnest(p_granted) intersect select unnest(t.scopes) from quorate.authorization_records t
    where t.kind = 'AccessToken' and t.id_hash = p_token_hash order by 1);
end $$;

-- Writes a record, over the one that stands. What is over goes meanwhile, some at a time.
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

-- A record by its id, or by the id that its holder is known by elsewhere. None once it is over, or once the key of its grant is revoked or
-- over, or its member gone.
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

-- Uses what may be used once. False: it was used, or is not there.
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

-- Ends a grant: its client gave it back, or used a code or a refresh token twice, as a thief would. Its tokens go, its key is revoked and
-- that recorded, once. Returns whether a key was.
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
