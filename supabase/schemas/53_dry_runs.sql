-- Dry runs of drafts: they record what each effect would be, and call nothing that writes.

-- Whether the calls of a capability change nothing, as its peer declares. A model answers and changes nothing.
create function quorate.only_reads(p_capability uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select c.kind = 'model' or c.definition ->> 'effect' = 'reads'
      or ((c.definition ->> 'effect' in ('reads', 'writes')) is not true and c.definition #>> '{annotations,readOnlyHint}' = 'true')
    from quorate.capabilities c where c.id = p_capability), false);
end $$;

-- Refuses what a dry run never does, whatever a worker asks for.
create function quorate.refuse_in_dry_run(p_run quorate.runs) returns void language plpgsql set search_path = '' as $$
begin
  if p_run.trial ->> 'kind' = 'dry' then raise exception 'a dry run has no effect' using errcode = 'QR005'; end if;
end $$;

-- Writes a step that a dry run does not carry out, with the decision on it and the output that later steps see in its place. Answers
-- { state: noted | stale | fenced | halted | cancelled }.
create function quorate.note_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step json, p_output json, p_local json)
returns json language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_revision bigint; v_step jsonb := p_step; d jsonb := v_step -> 'decision';
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if (r.trial ->> 'kind' = 'dry') is not true then raise exception 'only a dry run notes a step' using errcode = 'QR005'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if exists (select from quorate.steps x where x.run_id = p_run and x.path = v_step ->> 'path'
    and x.status in ('success', 'error', 'skipped')) then
    return '{"state":"noted"}';
  end if;
  select x.config_revision into v_revision from quorate.workspaces x where x.id = p_workspace;
  if v_revision <> p_revision then return pg_catalog.json_build_object('state', 'stale', 'revision', v_revision); end if;
  insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest,
    policy_version)
  values ((d ->> 'id')::uuid, p_workspace, p_run, v_step ->> 'path', (v_step ->> 'attempt')::int, d ->> 'action', d ->> 'verdict',
    d -> 'rules', d -> 'reason', d -> 'context', d ->> 'actionDigest', d ->> 'policyVersion')
  on conflict (id) do nothing;
  perform quorate.write_step(r, v_step, p_step -> 'input', 'skipped', null, null);
  update quorate.steps s set output = p_output, output_digest = v_step ->> 'outputDigest', finished_at = clock_timestamp()
    where s.run_id = p_run and s.path = v_step ->> 'path';
  return '{"state":"noted"}';
end $$;

revoke all on function quorate.only_reads(uuid), quorate.refuse_in_dry_run(quorate.runs),
  quorate.note_step(uuid, uuid, int, bigint, json, json, json) from public;
grant execute on function quorate.note_step(uuid, uuid, int, bigint, json, json, json) to quorate_worker;
