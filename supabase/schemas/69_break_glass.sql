-- Break-glass. One person puts a change that waits into effect alone, with their password and a reason, for a day at most. Everybody who
-- decides or audits is told, what was in force before comes back by itself, and all that is recorded meanwhile says so.

-- Why this person may not do that, as the SQLSTATE that it would end with; null: they may. A change that cannot be undone is none, nor one
-- of a thing that has had it in the last seven days: nobody lengthens the day.
create function quorate.break_glass_refusal(c quorate.control_changes, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if c.status <> 'pending' then return 'QV008'; end if;
  if c.due_at <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  if not quorate.lasting_roles(c.workspace_id, p_user) && quorate.askers_of_control(c.kind)
    or not quorate.has_role(variadic quorate.askers_of_control(c.kind)) then return 'QV019'; end if;
  if c.kind in ('member_remove', 'connection_credential', 'inventory_risk') or c.kind like 'workspace_%' then return 'QV017'; end if;
  if exists (select from quorate.break_glass b where b.workspace_id = c.workspace_id and b.resource_id = c.resource_id
    and (b.ended_at is null or b.ended_at > pg_catalog.clock_timestamp() - interval '7 days')) then return 'QV018'; end if;
  return null;
end $$;

create function quorate.my_break_glass_refusal(p_change uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.break_glass_refusal(c, quorate.current_user_id()) from quorate.control_changes c
    where c.id = p_change and c.workspace_id = quorate.current_workspace_id()
$$;

create function quorate.start_break_glass(p_change uuid, p_reason text, p_digest text, p_hours int)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  c quorate.control_changes;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_method text;
  v_start timestamptz := pg_catalog.clock_timestamp();
begin
  if v_user is null or v_workspace is null then raise exception 'nobody asks' using errcode = 'QV001'; end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = v_workspace for update;
  if c.id is null then raise exception 'no such change' using errcode = 'QV001'; end if;
  v_refusal := quorate.break_glass_refusal(c, v_user);
  if v_refusal is not null then raise exception 'break-glass is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from c.digest then raise exception 'another change than the one shown' using errcode = 'QV007'; end if;
  if coalesce(btrim(p_reason), '') = '' then raise exception 'break-glass has a reason' using errcode = 'QV012'; end if;
  v_method := quorate.take_reauthentication('break_glass', c.id);
  if v_method is null then raise exception 'authenticate again' using errcode = 'QV011'; end if;
  insert into quorate.break_glass (change_id, workspace_id, resource_id, user_id, reason, started_at, ends_at, method, held)
  values (c.id, v_workspace, c.resource_id, v_user, p_reason, v_start, v_start + pg_catalog.make_interval(hours => p_hours), v_method,
    case when c.kind = 'connection_approve' then (select pg_catalog.json_object_agg(x.id, pg_catalog.json_build_object(
      'approved_fingerprint', x.approved_fingerprint, 'approved_definition', x.approved_definition, 'approved_by', x.approved_by,
      'approved_at', x.approved_at)) from quorate.capabilities x
      where x.connection_id = c.resource_id and (c.subject #> '{before,approved}')::jsonb ? x.id::text) end);
  perform quorate.apply_control_change(c);
  update quorate.control_changes x set status = 'emergency' where x.id = c.id;
  return v_start + pg_catalog.make_interval(hours => p_hours);
end $$;

-- What was in force before comes back, of each part that break-glass made and nobody has changed properly since. Whoever did more, alone,
-- keeps no part of it by that: a workflow that was paused meanwhile is paused with the version of before. Answers whether anything came
-- back.
create function quorate.revert_control_change(c quorate.control_changes, b quorate.break_glass) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_before jsonb := c.subject -> 'before';
  v_after jsonb := c.subject -> 'after';
  v_rows int := 0;
begin
  if c.kind = 'evidence_export' then
    -- nothing more leaves; what has left is out
    update quorate.evidence_grants g set ends_at = pg_catalog.clock_timestamp()
      where g.change_id = c.id and g.ends_at > pg_catalog.clock_timestamp();
    return true;
  end if;
  if c.kind = 'connection_approve' then
    update quorate.capabilities x set approved_fingerprint = h.value ->> 'approved_fingerprint',
        approved_definition = case when h.value ->> 'approved_fingerprint' is null then null else h.value -> 'approved_definition' end,
        approved_by = (h.value ->> 'approved_by')::uuid, approved_at = (h.value ->> 'approved_at')::timestamptz
      from pg_catalog.json_each(b.held) h
      where x.id = h.key::uuid and x.connection_id = c.resource_id
        and x.approved_fingerprint = v_after #>> array['approved', x.id::text]
        and not exists (select from quorate.control_changes o where o.workspace_id = c.workspace_id and o.resource_id = c.resource_id
          and o.status = 'approved' and o.decided_at >= b.started_at and (o.subject #> '{after,approved}')::jsonb ? x.id::text);
  elsif exists (select from quorate.control_changes o where o.workspace_id = c.workspace_id and o.resource_id = c.resource_id
    and o.status = 'approved' and o.decided_at >= b.started_at and o.kind <> 'connection_approve') then return false;
  elsif quorate.artifact_of_control(c.kind) is not null then
    update quorate.artifacts a set published_version_id = (v_before ->> 'versionId')::uuid, updated_at = pg_catalog.clock_timestamp(),
        status = case when a.status = v_after ->> 'status' then v_before ->> 'status' else a.status end
      where a.id = c.resource_id and a.workspace_id = c.workspace_id and a.deleted_at is null
        and a.published_version_id is not distinct from (v_after ->> 'versionId')::uuid;
  elsif c.kind = 'connection_permits' then
    -- each that break-glass gave is taken, whatever became of the other
    update quorate.connections n
      set personal_data_allowed = n.personal_data_allowed and (v_before ->> 'personalData')::boolean,
        idempotent = n.idempotent and (v_before ->> 'repeats')::boolean, updated_at = pg_catalog.clock_timestamp()
      where n.id = c.resource_id and n.workspace_id = c.workspace_id and n.deleted_at is null;
  else
    begin
      update quorate.members m set roles = array(
          select r from unnest(m.roles) r where v_before -> 'roles' ? r or not v_after -> 'roles' ? r
          union all
          select r from pg_catalog.jsonb_array_elements_text(v_before -> 'roles') r
            where not v_after -> 'roles' ? r and not r = any (m.roles))
        where m.workspace_id = c.workspace_id and m.user_id = c.resource_id;
    -- the last admin left meanwhile: the workspace keeps the one that break-glass made
    exception when sqlstate 'QM001' then return false;
    end;
  end if;
  get diagnostics v_rows = row_count;
  return v_rows > 0;
end $$;

-- Ends it, with the status that the change has from then on: approved lets it stay as it is, every other undoes it. Answers the outcome.
create function quorate.end_break_glass(c quorate.control_changes, p_by uuid, p_status text) returns text
language plpgsql security definer set search_path = '' as $$
declare b quorate.break_glass; v_outcome text;
begin
  select * into b from quorate.break_glass x where x.change_id = c.id for update;
  if p_status = 'approved' then
    if not quorate.lasting_roles(c.workspace_id, c.requested_by) && quorate.askers_of_control(c.kind) then
      raise exception 'who asked may not any more' using errcode = 'QV015';
    end if;
    -- evidence that has left is agreed to afterwards as well
    if c.kind <> 'evidence_export' and quorate.state_of_control(c.workspace_id, c.kind, c.resource_id, (c.subject -> 'before')::jsonb)
      is distinct from (c.subject -> 'after')::jsonb then
      raise exception 'it is not so any more' using errcode = 'QV016';
    end if;
    v_outcome := 'agreed';
  else
    v_outcome := case when quorate.revert_control_change(c, b) then 'reverted' else 'left' end;
  end if;
  update quorate.break_glass x set ended_at = pg_catalog.clock_timestamp(), ended_by = p_by, outcome = v_outcome where x.change_id = c.id;
  update quorate.control_changes x set status = p_status, decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  return v_outcome;
end $$;

-- The changes that break-glass had made at any moment of this time, for whoever reads what happened then: not what they are about.
create function quorate.break_glass_between(p_from timestamptz, p_until timestamptz) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select b.change_id from quorate.break_glass b
    where b.workspace_id = quorate.current_workspace_id() and b.started_at <= coalesce(p_until, pg_catalog.clock_timestamp())
      and (b.ended_at is null or b.ended_at >= p_from) order by b.started_at, b.change_id
$$;

-- Every event that is recorded meanwhile names it, under the digest of its leaf: nobody takes the mark away later.
create function quorate.mark_break_glass() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_open jsonb;
begin
  select pg_catalog.jsonb_agg(b.change_id order by b.started_at, b.change_id) into v_open from quorate.break_glass b
    where b.workspace_id = new.workspace_id and b.ended_at is null;
  if v_open is not null then new.payload := new.payload || pg_catalog.jsonb_build_object('breakGlass', v_open); end if;
  return new;
end $$;

create trigger mark_break_glass before insert on quorate.audit_events for each row execute function quorate.mark_break_glass();
-- Nobody lengthens it, opens it again or says something else of it.
create trigger immutable before update on quorate.break_glass for each row
  when ((pg_catalog.to_jsonb(new) - array['ended_at', 'ended_by', 'outcome']) is distinct from
    (pg_catalog.to_jsonb(old) - array['ended_at', 'ended_by', 'outcome']) or old.ended_at is not null)
  execute function quorate.refuse_change();

revoke all on function quorate.break_glass_refusal(quorate.control_changes, uuid), quorate.my_break_glass_refusal(uuid),
  quorate.start_break_glass(uuid, text, text, int), quorate.mark_break_glass(),
  quorate.revert_control_change(quorate.control_changes, quorate.break_glass),
  quorate.end_break_glass(quorate.control_changes, uuid, text), quorate.break_glass_between(timestamptz, timestamptz) from public;
grant execute on function quorate.my_break_glass_refusal(uuid), quorate.start_break_glass(uuid, text, text, int),
  quorate.break_glass_between(timestamptz, timestamptz) to quorate_member;
