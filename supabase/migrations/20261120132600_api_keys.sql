-- What a key may do: its scopes, of what its member's present roles allow. A key has no admin's powers and never decides; the
-- restrictive policies below hold its scopes on every table, whatever an address forgets to ask.

alter table quorate.api_keys drop constraint api_keys_scopes_check;
alter table quorate.api_keys add constraint api_keys_scopes_check
  check (scopes <@ array['runs:read', 'runs:start', 'workflows:read', 'workflows:write', 'approvals:read', 'audit:read']);
alter table quorate.api_keys add constraint api_keys_lifetime check (expires_at <= created_at + interval '367 days');
create index api_keys_list on quorate.api_keys (workspace_id, created_at desc);

-- True for people; for a key, when it has one of these scopes.
create function quorate.key_may(variadic wanted text[]) returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('quorate.key_id', true), '') = '' or string_to_array(coalesce(current_setting('quorate.scopes', true), ''), ',') && wanted
$$;
revoke all on function quorate.key_may(text[]) from public;
grant execute on function quorate.key_may(text[]) to quorate_member;

drop function quorate.become_key(bytea);
create function quorate.become_key(p_key_hash bytea)
  returns table (key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, roles text[], scopes text[], expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare k quorate.api_keys; m quorate.members; v_roles text[];
begin
  select * into k from quorate.api_keys a where a.key_hash = p_key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  select * into m from quorate.members x where x.workspace_id = k.workspace_id and x.user_id = k.user_id;
  if m.user_id is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  -- an admin's key reads what an auditor reads, and administers nothing
  v_roles := array(select distinct case when r = 'admin' then 'auditor' else r end from unnest(m.roles || '{user}') r order by 1);
  perform set_config('quorate.user_id', k.user_id::text, true), set_config('quorate.workspace_id', k.workspace_id::text, true),
    set_config('quorate.roles', array_to_string(v_roles, ','), true), set_config('quorate.key_id', k.id::text, true),
    set_config('quorate.scopes', array_to_string(k.scopes, ','), true);
  update quorate.api_keys a set last_used_at = now() where a.id = k.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  return query select k.id, k.name, k.user_id, m.name, k.workspace_id, w.name, v_roles, k.scopes, k.expires_at from quorate.workspaces w where w.id = k.workspace_id;
end $$;
revoke all on function quorate.become_key(bytea) from public;
grant execute on function quorate.become_key(bytea) to quorate_member;

do $$
declare
  reads jsonb := '{
    "audit_events": ["audit:read"], "audit_nodes": ["audit:read"], "checkpoints": ["audit:read"],
    "artifacts": ["workflows:read", "workflows:write", "runs:start"], "versions": ["workflows:read", "workflows:write", "runs:start"],
    "drafts": ["workflows:read", "workflows:write"], "triggers": ["workflows:read", "workflows:write"],
    "connections": ["workflows:read", "workflows:write", "runs:start"], "capabilities": ["workflows:read", "workflows:write", "runs:start"],
    "runs": ["runs:read", "runs:start"], "steps": ["runs:read"], "decisions": ["runs:read"],
    "approvals": ["approvals:read"], "approval_votes": ["approvals:read"],
    "notifications": [], "saved_views": [], "files": []}';
  writes jsonb := '{
    "artifacts": ["workflows:write"], "versions": ["workflows:write"], "drafts": ["workflows:write"], "triggers": ["workflows:write"],
    "runs": ["runs:start"],
    "connections": [], "capabilities": [], "members": [], "invitations": [], "workspaces": [], "deliveries": [],
    "notifications": [], "saved_views": [], "files": []}';
  t text; wanted text;
begin
  for t, wanted in select key, (select coalesce(string_agg(quote_literal(s), ', '), quote_literal('')) from jsonb_array_elements_text(value) s) from jsonb_each(reads) loop
    execute format('create policy key_reads on quorate.%I as restrictive for select to quorate_member using ((select quorate.key_may(%s)))', t, wanted);
  end loop;
  for t, wanted in select key, (select coalesce(string_agg(quote_literal(s), ', '), quote_literal('')) from jsonb_array_elements_text(value) s) from jsonb_each(writes) loop
    execute format('create policy key_inserts on quorate.%I as restrictive for insert to quorate_member with check ((select quorate.key_may(%s)))', t, wanted);
    execute format('create policy key_updates on quorate.%I as restrictive for update to quorate_member using ((select quorate.key_may(%s)))', t, wanted);
    execute format('create policy key_deletes on quorate.%I as restrictive for delete to quorate_member using ((select quorate.key_may(%s)))', t, wanted);
  end loop;
end $$;
