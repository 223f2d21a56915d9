-- Sign-in by SAML 2.0: a second protocol of the same providers.
alter table quorate.identity_providers drop constraint identity_providers_issuer_check,
  add constraint identity_providers_issuer_check check (length(issuer) between 1 and 500),
  alter column sealed_secret drop not null,
  add column saml jsonb;
alter table quorate.identity_providers
  add constraint identity_providers_protocol check (case when saml is null then sealed_secret is not null and issuer ~ '^https?://'
    else sealed_secret is null and pg_catalog.jsonb_typeof(saml) = 'object' end);

-- With what a workspace signs its SAML requests, and what providers encrypt to. `next` is published before it is used; `former` still
-- opens what was encrypted to it.
create table quorate.saml_keys (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  certificate text not null check (length(certificate) between 200 and 4000),
  sealed_key bytea not null,
  state text not null check (state in ('next', 'current', 'former')),
  not_after timestamptz not null,
  created_at timestamptz not null default now()
);
create unique index saml_keys_one on quorate.saml_keys (workspace_id, state);
alter table quorate.saml_keys enable row level security;

create or replace function quorate.state_of_provider(i quorate.identity_providers) returns jsonb
language sql immutable set search_path = '' as $$
  select pg_catalog.jsonb_build_object('id', i.id, 'name', i.name, 'issuer', i.issuer, 'clientId', i.client_id,
    'secret', pg_catalog.encode(pg_catalog.sha256(i.sealed_secret), 'hex'), 'emailClaim', i.email_claim, 'nameClaim', i.name_claim,
    'groupsClaim', i.groups_claim, 'emailsVerified', i.emails_verified, 'defaultRoles', pg_catalog.to_jsonb(i.default_roles))
    || case when i.saml is null then '{}' else pg_catalog.jsonb_build_object('saml', i.saml) end
$$;

drop function quorate.company_provider(uuid);
create function quorate.company_provider(p_provider uuid)
  returns table (workspace_id uuid, workspace_name text, private_network jsonb, name text, issuer text, client_id text, sealed_secret bytea,
    email_claim text, name_claim text, groups_claim text, emails_verified boolean, saml jsonb, counts boolean)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.workspace_id, w.name, w.private_network, i.name, i.issuer, i.client_id, i.sealed_secret, i.email_claim, i.name_claim,
    i.groups_claim, i.emails_verified, i.saml, coalesce(w.sign_in #>> '{provider,id}' = i.id::text, false)
  from quorate.identity_providers i join quorate.workspaces w on w.id = i.workspace_id where i.id = p_provider
$$;

create function quorate.company_saml_keys(p_workspace uuid) returns table (state text, certificate text, sealed_key bytea, id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select k.state, k.certificate, k.sealed_key, k.id from quorate.saml_keys k where k.workspace_id = p_workspace
$$;

create function quorate.take_company_assertion(p_provider uuid, p_key bytea, p_until timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  insert into quorate.company_one_time (key, workspace_id, provider_id, expires_at)
    select p_key, i.workspace_id, i.id, p_until from quorate.identity_providers i where i.id = p_provider
    on conflict (key) do nothing;
  return found;
end $$;

create constraint trigger audited after insert or update or delete on quorate.saml_keys
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create policy read_keys on quorate.saml_keys for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'auditor'))
    and (select quorate.current_key_id()) is null);
create policy admin_inserts on quorate.saml_keys for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);
create policy admin_updates on quorate.saml_keys for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null)
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy admin_deletes on quorate.saml_keys for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);

grant update (saml) on quorate.identity_providers to quorate_member;
grant select (id, workspace_id, certificate, state, not_after, created_at), insert, delete on quorate.saml_keys to quorate_member;
grant update (state) on quorate.saml_keys to quorate_member;
revoke all on function quorate.company_provider(uuid), quorate.company_saml_keys(uuid),
  quorate.take_company_assertion(uuid, bytea, timestamptz) from public;
grant execute on function quorate.company_provider(uuid), quorate.company_saml_keys(uuid),
  quorate.take_company_assertion(uuid, bytea, timestamptz) to quorate_app;
