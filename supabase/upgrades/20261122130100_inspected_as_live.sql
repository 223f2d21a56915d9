-- A call from the inspector reaches the peer like that of a live run: policies judge it as one. The mark is the database's, not the
-- author's.
create or replace function quorate.read_version(p_workspace uuid, p_version uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select case when a.kind = 'inspection' then v.document || '{"inspects": true}'::jsonb else v.document end
  from quorate.versions v join quorate.artifacts a on a.id = v.artifact_id where v.id = p_version and v.workspace_id = p_workspace
$$;
