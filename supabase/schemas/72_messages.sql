-- Messages that steps of runs send to people: notifications with the step's name, whose link leads to the run.

-- Notifies the starter of the run, whoever has one of these roles and the members with these addresses, each once a step. Answers how
-- many they are. All or nobody: `unknown` answers the addresses that are no member's, `unseen` those of members who do not see the run.
-- A test run checks the addresses and notifies its starter alone. `mail` false: on the page alone, whatever people prefer.
create function quorate.send_message(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_message json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_to text[]; v_users uuid[]; v_addresses text[]; v_wrong text[];
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  perform quorate.refuse_in_dry_run(r);
  select coalesce(pg_catalog.array_agg(x), '{}') into v_to from pg_catalog.json_array_elements_text(p_message -> 'to') x;
  select coalesce(pg_catalog.array_agg(distinct pg_catalog.lower(x)), '{}') into v_addresses
    from pg_catalog.json_array_elements_text(p_message -> 'members') x;
  select pg_catalog.array_agg(x order by x) into v_wrong from unnest(v_addresses) x where not exists (
    select from quorate.members m where m.workspace_id = p_workspace and pg_catalog.lower(m.email) = x);
  if v_wrong is not null then return pg_catalog.json_build_object('state', 'unknown', 'addresses', v_wrong); end if;
  select pg_catalog.array_agg(pg_catalog.lower(m.email) order by m.email) into v_wrong from quorate.members m
    where m.workspace_id = p_workspace and pg_catalog.lower(m.email) = any (v_addresses) and m.user_id <> r.initiator_id
      and not m.roles && array['builder', 'approver', 'auditor', 'admin'];
  if v_wrong is not null then return pg_catalog.json_build_object('state', 'unseen', 'addresses', v_wrong); end if;
  if r.mode = 'test' then v_addresses := '{}'; end if;
  select coalesce(pg_catalog.array_agg(m.user_id), '{}') into v_users from quorate.members m
    where m.workspace_id = p_workspace and (m.roles && pg_catalog.array_remove(v_to, 'starter')
      or (m.user_id = r.initiator_id and 'starter' = any (v_to)) or pg_catalog.lower(m.email) = any (v_addresses));
  perform quorate.notify(p_workspace, v_users, 'message', 'notifyMessage',
    pg_catalog.jsonb_build_object('title', p_message ->> 'title',
      'workflow', (select a.name from quorate.artifacts a where a.id = r.artifact_id)),
    pg_catalog.jsonb_build_object('kind', 'run', 'id', p_run), 'message:' || p_run || '/' || p_path);
  if p_message ->> 'mail' = 'false' then
    update quorate.notifications n set subject = n.subject || '{"mail": false}' where n.once = 'message:' || p_run || '/' || p_path;
  end if;
  return pg_catalog.json_build_object('state', 'sent', 'recipients', pg_catalog.cardinality(v_users));
end $$;

revoke all on function quorate.send_message(uuid, uuid, int, text, json, json) from public;
grant execute on function quorate.send_message(uuid, uuid, int, text, json, json) to quorate_worker;
