-- Signatures: what is asked for, and the entries of the log that hold votes and break-glass.

-- What each who approves signs for, with their password whatever the risk; null: they say it themselves.
alter table quorate.approvals add column meaning text check (meaning in ('reviewed', 'approved', 'responsible'));

-- Where the log holds the signatures on an approval or a control change, for whoever may read that: the entry of each, its place, and the
-- first checkpoint that covers it; the bodies are for whoever reads the log.
create function quorate.list_signatures(p_subject uuid)
returns table (event_id uuid, user_id uuid, leaf_index bigint, checkpoint bigint)
language sql stable security definer set search_path = '' as $$
  select e.id, e.actor_id, e.leaf_index, (select pg_catalog.min(c.size) from quorate.checkpoints c
    where c.workspace_id = e.workspace_id and c.size > e.leaf_index)
  from (
    select a.workspace_id, a.id::text as subject, array[a.id::text, a.workspace_id::text] as resources from quorate.approvals a
      where a.id = p_subject and (quorate.sees_all_runs() or a.requested_by = quorate.current_user_id())
    union all
    select c.workspace_id, c.id::text, array[c.id::text, c.resource_id::text] from quorate.control_changes c
      where c.id = p_subject and (quorate.has_role('admin', 'approver', 'auditor')
        or quorate.current_user_id() in (c.resource_id, c.requested_by))
  ) s
  join quorate.audit_events e on e.workspace_id = s.workspace_id and e.resource_id = any (s.resources)
  where s.workspace_id = quorate.current_workspace_id() and quorate.current_key_id() is null and e.payload ? 'signature'
    and s.subject in (e.payload ->> 'approval', e.payload ->> 'change', case e.resource_kind when 'approval' then e.resource_id end)
    and e.resource_kind in ('approval', 'workspace', 'change', 'policy', 'member', 'workflow', 'agent', 'connection')
  order by e.at, e.id
$$;

revoke all on function quorate.list_signatures(uuid) from public;
grant execute on function quorate.list_signatures(uuid) to quorate_member;
