-- Break-glass: what waits takes effect by one person, for a day at most, and is undone when the time is over.

alter table quorate.control_changes drop constraint control_changes_status_check;
alter table quorate.control_changes add constraint control_changes_status_check
  check (status in ('pending', 'emergency', 'approved', 'rejected', 'withdrawn', 'expired'));

create table quorate.break_glass (
  change_id uuid primary key,
  workspace_id uuid not null,
  resource_id uuid not null, -- that of the change
  user_id uuid not null,
  reason text not null check (length(reason) between 1 and 1000),
  started_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null check (ends_at > started_at and ends_at <= started_at + interval '24 hours'),
  ended_at timestamptz,
  ended_by uuid, -- null: the time was over
  -- agreed: another person let it stay; reverted: what was in force before is so again; left: it was changed properly meanwhile
  outcome text check (outcome in ('agreed', 'reverted', 'left')),
  -- Of tools, what was approved before: by id { approved_fingerprint, approved_definition, approved_by, approved_at }.
  held quorate.ordered_json,
  check ((ended_at is null) = (outcome is null)),
  foreign key (workspace_id, change_id) references quorate.control_changes (workspace_id, id) on delete cascade
);
create unique index break_glass_one_open on quorate.break_glass (workspace_id, resource_id) where ended_at is null;
create index break_glass_times on quorate.break_glass (workspace_id, started_at);
create index break_glass_due on quorate.break_glass (ends_at) where ended_at is null;
alter table quorate.break_glass enable row level security;

create or replace function quorate.lasting_roles(p_workspace uuid, p_user uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select array(select r from quorate.members m cross join unnest(m.roles) r
    where m.workspace_id = p_workspace and m.user_id = p_user and not exists (
      select from quorate.break_glass b join quorate.control_changes c on c.id = b.change_id
        where b.workspace_id = p_workspace and b.resource_id = p_user and b.ended_at is null and c.kind = 'member_roles'
          and not (c.subject #> '{before,roles}')::jsonb ? r))
$$;

create or replace function quorate.request_control_change(p_id uuid, p_subject json, p_due timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_kind text := p_subject ->> 'kind';
  v_resource uuid := (p_subject ->> 'resource')::uuid;
begin
  if v_user is null or v_workspace is null or not quorate.has_role(variadic quorate.askers_of_control(v_kind))
    or not quorate.lasting_roles(v_workspace, v_user) && quorate.askers_of_control(v_kind) or quorate.current_key_id() is not null then
    raise exception 'not whoever asks for this control change' using errcode = 'QP005';
  end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  if p_subject ->> 'workspace' is distinct from v_workspace::text
    or quorate.state_of_control(v_workspace, v_kind, v_resource, (p_subject -> 'before')::jsonb)
      is distinct from (p_subject -> 'before')::jsonb
    or not quorate.leads_to(v_kind, v_resource, (p_subject -> 'before')::jsonb, (p_subject -> 'after')::jsonb) then
    raise exception 'it is not so any more' using errcode = 'QP006';
  end if;
  if p_due > pg_catalog.clock_timestamp() + interval '30 days' then raise exception 'too late' using errcode = '22023'; end if;
  insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, due_at)
  values (p_id, v_workspace, v_kind, v_resource, p_subject,
    pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p_subject::text, 'UTF8')), 'hex'), v_user, p_due);
end $$;

create or replace function quorate.control_refusal(c quorate.control_changes, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare b quorate.break_glass; v_roles text[] := quorate.lasting_roles(c.workspace_id, p_user);
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if c.status not in ('pending', 'emergency') then return 'QV008'; end if;
  select * into b from quorate.break_glass x where x.change_id = c.id;
  if coalesce(b.ends_at, c.due_at) <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  if p_user = c.requested_by or p_user = b.user_id then return 'QV004'; end if;
  if c.subject #>> '{after,versionId}' is distinct from c.subject #>> '{before,versionId}'
    and exists (select from quorate.versions v
    where v.id = (c.subject #>> '{after,versionId}')::uuid and v.author_id = p_user) then return 'QV005'; end if;
  if c.kind = 'member_roles' and c.resource_id = p_user and exists (
    select from pg_catalog.json_array_elements_text(c.subject #> '{after,roles}') r
    where not (c.subject #> '{before,roles}')::jsonb ? r) then return 'QV014'; end if;
  -- both: the roles as they stand now, and those with which this transaction came in
  if not v_roles && array['admin', 'approver'] or not quorate.has_role('admin', 'approver') then return 'QV002'; end if;
  return null;
end $$;

create or replace function quorate.vote_control_change(p_change uuid, p_vote text, p_reason text, p_digest text, p_reauthenticated boolean)
returns text language plpgsql security definer set search_path = '' as $$
declare
  c quorate.control_changes;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_status text := case p_vote when 'approve' then 'approved' else 'rejected' end;
begin
  if v_user is null or v_workspace is null then raise exception 'nobody answers' using errcode = 'QV001'; end if;
  -- one control change after the other
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = v_workspace for update;
  if c.id is null then raise exception 'no such change' using errcode = 'QV001'; end if;
  v_refusal := quorate.control_refusal(c, v_user);
  if v_refusal is not null then raise exception 'this answer is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from c.digest then raise exception 'another change than the one shown' using errcode = 'QV007'; end if;
  if p_reauthenticated is not true then raise exception 'authenticate again' using errcode = 'QV011'; end if;
  if coalesce(p_vote, '') not in ('approve', 'reject') or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  insert into quorate.control_votes (workspace_id, change_id, user_id, voter_name, vote, reason, digest)
  select v_workspace, c.id, v_user, m.name, p_vote, coalesce(p_reason, ''), c.digest
    from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_user;
  if c.status = 'emergency' then return quorate.end_break_glass(c, v_user, v_status); end if;
  update quorate.control_changes x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  if p_vote = 'approve' then perform quorate.apply_control_change(c); end if;
  return v_status;
end $$;

create or replace function quorate.apply_control_change(c quorate.control_changes) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not quorate.lasting_roles(c.workspace_id, c.requested_by) && quorate.askers_of_control(c.kind) then
    raise exception 'who asked may not any more' using errcode = 'QV015';
  end if;
  if quorate.artifact_of_control(c.kind) is not null then
    perform from quorate.artifacts a where a.id = c.resource_id and a.workspace_id = c.workspace_id for update;
  elsif c.kind = 'connection_approve' then
    perform from quorate.capabilities x
      where x.connection_id = c.resource_id and (c.subject #> '{before,approved}')::jsonb ? x.id::text for update;
  elsif c.kind like 'member_%' then
    perform from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id for update;
  end if;
  if quorate.state_of_control(c.workspace_id, c.kind, c.resource_id, (c.subject -> 'before')::jsonb)
      is distinct from (c.subject -> 'before')::jsonb
    or not quorate.leads_to(c.kind, c.resource_id, (c.subject -> 'before')::jsonb, (c.subject -> 'after')::jsonb) then
    raise exception 'it is not so any more' using errcode = 'QV016';
  end if;
  if quorate.artifact_of_control(c.kind) is not null then
    update quorate.artifacts a
      set status = c.subject #>> '{after,status}', published_version_id = (c.subject #>> '{after,versionId}')::uuid,
        updated_at = pg_catalog.clock_timestamp()
      where a.id = c.resource_id and a.workspace_id = c.workspace_id;
  elsif c.kind = 'member_roles' then
    update quorate.members m
      set roles = array(select r from pg_catalog.json_array_elements_text(c.subject #> '{after,roles}') r)
      where m.workspace_id = c.workspace_id and m.user_id = c.resource_id;
  elsif c.kind = 'member_remove' then
    delete from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id;
  elsif c.kind = 'connection_approve' then
    update quorate.capabilities x
      set approved_fingerprint = x.fingerprint, approved_definition = x.definition, approved_by = c.requested_by,
        approved_at = pg_catalog.clock_timestamp()
      where x.connection_id = c.resource_id and (c.subject #> '{after,approved}')::jsonb ? x.id::text;
  else
    update quorate.workspaces w set reviews_effects = (c.subject #>> '{after,reviewsEffects}')::boolean where w.id = c.workspace_id;
  end if;
end $$;

drop function quorate.withdraw_control_change(uuid);
create function quorate.withdraw_control_change(p_change uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare c quorate.control_changes; v_user uuid := quorate.current_user_id();
begin
  select * into c from quorate.control_changes x
    where x.id = p_change and x.workspace_id = quorate.current_workspace_id() for update;
  if c.id is null then raise exception 'no such change' using errcode = 'QV001'; end if;
  if quorate.current_key_id() is not null or v_user is null or (v_user <> c.requested_by
    and not exists (select from quorate.break_glass b where b.change_id = c.id and b.user_id = v_user)) then
    raise exception 'only who asked withdraws' using errcode = 'QV013';
  end if;
  if c.status = 'emergency' then return quorate.end_break_glass(c, v_user, 'withdrawn'); end if;
  if c.status <> 'pending' then raise exception 'the change is closed' using errcode = 'QV008'; end if;
  update quorate.control_changes x set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  return null;
end $$;

create or replace function quorate.list_overdue_changes(p_limit int) returns table (change_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select d.id, d.workspace_id from (
    (select c.id, c.workspace_id, c.due_at from quorate.control_changes c
      where c.status = 'pending' and c.due_at <= pg_catalog.clock_timestamp() order by c.due_at limit least(p_limit, 1000))
    union all
    (select b.change_id, b.workspace_id, b.ends_at from quorate.break_glass b
      where b.ended_at is null and b.ends_at <= pg_catalog.clock_timestamp() order by b.ends_at limit least(p_limit, 1000))) d
  order by d.due_at limit least(p_limit, 1000)
$$;

create or replace function quorate.expire_control_change(p_workspace uuid, p_change uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare c quorate.control_changes; v_outcome text;
begin
  perform from quorate.workspaces w where w.id = p_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = p_workspace for update;
  if c.status = 'emergency' and exists (select from quorate.break_glass b
    where b.change_id = c.id and b.ends_at <= pg_catalog.clock_timestamp()) then
    v_outcome := quorate.end_break_glass(c, null, 'expired');
  elsif c.status = 'pending' and c.due_at <= pg_catalog.clock_timestamp() then
    update quorate.control_changes x set status = 'expired', decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  else return false; end if;
  perform quorate.append_worker_event(c.workspace_id, p_event,
    case when v_outcome is null then 'change.expired' else 'breakGlass.ended' end, 'change', c.id::text, c.kind,
    pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object('change', c.id, 'kind', c.kind, 'resource', c.resource_id,
      'digest', c.digest, 'outcome', v_outcome)));
  return true;
end $$;

create or replace function quorate.notify_control_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_about jsonb := pg_catalog.jsonb_build_object('kind', 'change', 'id', new.id);
  v_once text := 'change:' || new.id;
  v_asker text;
  v_outcome text;
  v_name text := coalesce(quorate.name_of_change(new), '–');
  v_roles boolean := new.kind = 'member_roles';
  v_key text := case new.status
    when 'pending' then case when v_roles then 'notifyRolesWaiting' else 'notifyChangeWaiting' end
    when 'emergency' then 'notifyBreakGlass'
    when 'approved' then case when v_roles then 'notifyRolesGranted' else 'notifyChangeApproved' end
    when 'rejected' then case when v_roles then 'notifyRolesRefused' else 'notifyChangeRejected' end
    when 'expired' then 'notifyChangeExpired' end;
begin
  if tg_op = 'INSERT' then
    select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
    perform quorate.notify(new.workspace_id, array(
      select u from unnest(quorate.members_with(new.workspace_id, 'admin', 'approver')) u
        where u <> new.requested_by and coalesce(quorate.control_refusal(new, u), '') <> 'QV014'),
      'approval', v_key, pg_catalog.jsonb_build_object('name', v_name, 'asker', coalesce(v_asker, '–')), v_about, v_once);
    return null;
  end if;
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = v_once and n.read_at is null;
  if 'emergency' in (old.status, new.status) then
    select m.name, b.outcome into v_asker, v_outcome from quorate.break_glass b
      left join quorate.members m on m.workspace_id = b.workspace_id and m.user_id = b.user_id where b.change_id = new.id;
    perform quorate.notify(new.workspace_id, quorate.members_with(new.workspace_id, 'admin', 'approver', 'auditor'), 'approval',
      case v_outcome when 'agreed' then 'notifyBreakGlassAgreed' when 'reverted' then 'notifyBreakGlassReverted'
        when 'left' then 'notifyBreakGlassLeft' else v_key end,
      pg_catalog.jsonb_build_object('name', v_name, 'asker', coalesce(v_asker, '–')), v_about, v_once || ':glass:' || new.status);
    return null;
  end if;
  if v_key is not null then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval', v_key,
      pg_catalog.jsonb_build_object('name', v_name), v_about, v_once || ':' || new.status);
  end if;
  return null;
end $$;

create or replace function quorate.reads_clock(p_workspace uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.artifacts a join quorate.versions v on v.id = a.published_version_id
    where a.workspace_id = p_workspace and p_workspace = quorate.current_workspace_id() and a.kind = 'policy' and a.status = 'active'
      and a.deleted_at is null and coalesce(v.document ->> 'text' ~ '\m(hour|weekday|date)\M', true))
    or exists (select from quorate.break_glass b join quorate.control_changes c on c.id = b.change_id
      where b.workspace_id = p_workspace and p_workspace = quorate.current_workspace_id() and b.ended_at is null and c.kind like 'policy_%')
$$;

drop trigger immutable on quorate.control_changes;
create trigger immutable before update on quorate.control_changes for each row
  when ((pg_catalog.to_jsonb(new) - array['status', 'decided_at']) is distinct from
    (pg_catalog.to_jsonb(old) - array['status', 'decided_at']) or old.status not in ('pending', 'emergency'))
  execute function quorate.refuse_change();
drop trigger notify_control_outcome on quorate.control_changes;
create trigger notify_control_outcome after update of status on quorate.control_changes for each row
  when (old.status <> new.status) execute function quorate.notify_control_change();

create policy read_break_glass on quorate.break_glass for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and exists (select from quorate.control_changes c where c.id = change_id));
grant select on quorate.break_glass to quorate_member;
revoke all on function quorate.lasting_roles(uuid, uuid), quorate.withdraw_control_change(uuid) from public;
grant execute on function quorate.withdraw_control_change(uuid) to quorate_member;

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
  if c.kind in ('member_remove', 'workspace_settings') then return 'QV017'; end if;
  if exists (select from quorate.break_glass b where b.workspace_id = c.workspace_id and b.resource_id = c.resource_id
    and (b.ended_at is null or b.ended_at > pg_catalog.clock_timestamp() - interval '7 days')) then return 'QV018'; end if;
  return null;
end $$;

create function quorate.my_break_glass_refusal(p_change uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.break_glass_refusal(c, quorate.current_user_id()) from quorate.control_changes c
    where c.id = p_change and c.workspace_id = quorate.current_workspace_id()
$$;

create function quorate.start_break_glass(p_change uuid, p_reason text, p_digest text, p_reauthenticated boolean, p_hours int)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  c quorate.control_changes;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_start timestamptz := pg_catalog.clock_timestamp();
begin
  if v_user is null or v_workspace is null then raise exception 'nobody asks' using errcode = 'QV001'; end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = v_workspace for update;
  if c.id is null then raise exception 'no such change' using errcode = 'QV001'; end if;
  v_refusal := quorate.break_glass_refusal(c, v_user);
  if v_refusal is not null then raise exception 'break-glass is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from c.digest then raise exception 'another change than the one shown' using errcode = 'QV007'; end if;
  if p_reauthenticated is not true then raise exception 'authenticate again' using errcode = 'QV011'; end if;
  if coalesce(btrim(p_reason), '') = '' then raise exception 'break-glass has a reason' using errcode = 'QV012'; end if;
  insert into quorate.break_glass (change_id, workspace_id, resource_id, user_id, reason, started_at, ends_at, held)
  values (c.id, v_workspace, c.resource_id, v_user, p_reason, v_start, v_start + pg_catalog.make_interval(hours => p_hours),
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
    and o.status = 'approved' and o.decided_at >= b.started_at) then return false;
  elsif quorate.artifact_of_control(c.kind) is not null then
    update quorate.artifacts a set published_version_id = (v_before ->> 'versionId')::uuid, updated_at = pg_catalog.clock_timestamp(),
        status = case when a.status = v_after ->> 'status' then v_before ->> 'status' else a.status end
      where a.id = c.resource_id and a.workspace_id = c.workspace_id and a.deleted_at is null
        and a.published_version_id is not distinct from (v_after ->> 'versionId')::uuid;
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
    if quorate.state_of_control(c.workspace_id, c.kind, c.resource_id, (c.subject -> 'before')::jsonb)
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
  quorate.start_break_glass(uuid, text, text, boolean, int), quorate.mark_break_glass(),
  quorate.revert_control_change(quorate.control_changes, quorate.break_glass),
  quorate.end_break_glass(quorate.control_changes, uuid, text), quorate.break_glass_between(timestamptz, timestamptz) from public;
grant execute on function quorate.my_break_glass_refusal(uuid), quorate.start_break_glass(uuid, text, text, boolean, int),
  quorate.break_glass_between(timestamptz, timestamptz) to quorate_member;
