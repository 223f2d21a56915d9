-- What a workspace may reach inside, within what the instance allows: a list of hosts and networks. A new workspace reaches nothing. Those
-- that there are keep all that the instance allows until an admin saves a list, so that no connection fails with the upgrade.
alter table quorate.workspaces add column private_network jsonb not null default '"instance"';
alter table quorate.workspaces alter column private_network set default '[]';
grant update (private_network) on quorate.workspaces to quorate_member;

drop trigger audited_update on quorate.workspaces;
create constraint trigger audited_update after update on quorate.workspaces deferrable initially deferred for each row
  when (row(old.name, old.slug, old.plan, old.settings, old.private_network, old.halted_at)
    is distinct from row(new.name, new.slug, new.plan, new.settings, new.private_network, new.halted_at))
  execute function quorate.require_audit_event();

create function quorate.bump_network_revision() returns trigger language plpgsql set search_path = '' as $$
begin
  new.config_revision := old.config_revision + 1;
  return new;
end $$;
create trigger network_changed before update on quorate.workspaces for each row
  when (old.private_network is distinct from new.private_network)
  execute function quorate.bump_network_revision();

-- As before, with the workspace's list, and as json, which keeps the author's order of keys.
drop function quorate.read_run_config(uuid);
create function quorate.read_run_config(p_workspace uuid) returns json
language sql stable security definer set search_path = '' as $$
  select pg_catalog.json_build_object('revision', w.config_revision, 'privateNetwork', w.private_network,
    'connections', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', c.id, 'kind', c.kind, 'name', c.name,
      'slug', c.slug, 'endpoint', c.endpoint, 'status', c.status, 'credential', pg_catalog.encode(c.sealed_credential, 'base64'),
      'personalDataAllowed', c.personal_data_allowed, 'settings', c.settings, 'paused', c.paused_at is not null,
      'idempotent', c.idempotent)), '[]')
      from quorate.connections c where c.workspace_id = w.id and c.deleted_at is null),
    'capabilities', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', k.id, 'connectionId', k.connection_id,
      'kind', k.kind, 'name', k.name, 'title', k.title, 'description', k.description,
      'inputSchema', k.input_schema, 'fingerprint', k.fingerprint, 'approvedFingerprint', k.approved_fingerprint,
      'annotations', k.definition -> 'annotations', 'effect', k.definition -> 'effect') order by k.id), '[]')
      from quorate.capabilities k join quorate.connections c on c.id = k.connection_id and c.deleted_at is null
      where k.workspace_id = w.id and k.removed_at is null),
    'policies', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'name', a.name, 'version', v.number,
      'contentHash', v.content_hash, 'document', v.document) order by a.id), '[]')
      from quorate.artifacts a left join quorate.versions v on v.id = a.published_version_id
      where a.workspace_id = w.id and a.kind = 'policy' and a.status = 'active' and a.deleted_at is null),
    'agents', (select coalesce(pg_catalog.json_object_agg(a.id, a.status = 'active'), '{}') from quorate.artifacts a
      where a.workspace_id = w.id and a.kind = 'agent' and a.deleted_at is null))
  from quorate.workspaces w where w.id = p_workspace
$$;
revoke all on function quorate.read_run_config(uuid) from public;
grant execute on function quorate.read_run_config(uuid) to quorate_worker;

-- Webhooks leave within the list of their workspace; those of no workspace reach nothing private.
drop function quorate.claim_deliveries(int, interval);
create function quorate.claim_deliveries(p_limit int, p_lease interval)
returns table (id uuid, workspace_id uuid, kind text, target text, subject text, body text, attempts int, sealed_secret bytea,
  secret_context text, private_network jsonb)
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + p_lease
  where d.id in (select x.id from quorate.deliveries x where x.status = 'pending' and x.next_attempt_at <= now()
    order by x.next_attempt_at limit p_limit for update skip locked)
  returning d.id, d.workspace_id, d.kind, d.target, d.subject, d.body, d.attempts, d.sealed_secret, d.secret_context,
    (select w.private_network from quorate.workspaces w where w.id = d.workspace_id)
$$;
revoke all on function quorate.claim_deliveries(int, interval), quorate.bump_network_revision() from public;
grant execute on function quorate.claim_deliveries(int, interval) to quorate_app;
