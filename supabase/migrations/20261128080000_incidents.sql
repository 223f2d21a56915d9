-- Incidents, the reports that laws ask for about them, and their clocks. What was said once stays: a correction is another entry.

create table quorate.incidents (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  number int not null,
  title text not null check (length(title) between 1 and 200),
  happened text not null check (length(happened) between 1 and 10000),
  severity text not null check (severity in ('low', 'medium', 'high')),
  harm text check (harm in ('death', 'widespread')), -- shortens the clocks of laws that say so
  noticed_at timestamptz not null,
  classified_at timestamptz, -- as major, significant or serious
  regimes text[] not null default '{}',
  touches jsonb not null default '[]', -- [{ kind: run, agent or connection, id }]
  recorded_by uuid not null,
  recorded_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  root_cause text check (length(root_cause) <= 10000),
  check ((closed_at is null) = (root_cause is null)),
  unique (workspace_id, id),
  unique (workspace_id, number)
);
create index incidents_list on quorate.incidents (workspace_id, recorded_at desc, id desc);
create index incidents_touches on quorate.incidents using gin (touches jsonb_path_ops);
alter table quorate.incidents enable row level security;

create table quorate.incident_entries (
  id uuid primary key,
  workspace_id uuid not null,
  incident_id uuid not null,
  kind text not null check (kind in ('assessed', 'reported', 'noted', 'closed')),
  regime text, -- of a report: by which law, and which of its reports
  step text,
  sent_at timestamptz,
  reference text not null default '' check (length(reference) <= 200), -- that the authority gave
  note text not null default '' check (length(note) <= 10000),
  before jsonb, -- of an assessment: { severity, harm, classifiedAt, regimes }
  after jsonb,
  made_by uuid not null,
  made_at timestamptz not null default clock_timestamp(),
  check ((kind = 'reported') = (regime is not null and step is not null and sent_at is not null)),
  foreign key (workspace_id, incident_id) references quorate.incidents (workspace_id, id) on delete cascade
);
create index incident_entries_list on quorate.incident_entries (incident_id, made_at, id);
alter table quorate.incident_entries enable row level security;

-- When each report is due by what is known. A clock that waits for an earlier report has no time yet.
create table quorate.incident_clocks (
  workspace_id uuid not null,
  incident_id uuid not null,
  regime text not null,
  step text not null,
  place int not null,
  cited text not null, -- law and article, for messages
  due_at timestamptz,
  near_at timestamptz, -- when people are reminded of it
  sent_at timestamptz,
  near_told_at timestamptz,
  over_told_at timestamptz,
  primary key (incident_id, regime, step),
  foreign key (workspace_id, incident_id) references quorate.incidents (workspace_id, id) on delete cascade
);
create index incident_clocks_due on quorate.incident_clocks (near_at) where sent_at is null and over_told_at is null;
alter table quorate.incident_clocks enable row level security;

-- The incident for whoever handles it: approvers and admins, in person. Locked, so that two acts follow each other.
create function quorate.own_incident(p_incident uuid) returns quorate.incidents
language plpgsql security definer set search_path = '' as $$
declare i quorate.incidents;
begin
  if quorate.current_user_id() is null or quorate.current_key_id() is not null or not quorate.has_role('approver', 'admin') then
    raise exception 'approvers and admins handle incidents' using errcode = 'QI002';
  end if;
  select * into i from quorate.incidents x where x.id = p_incident and x.workspace_id = quorate.current_workspace_id() for update;
  if i.id is null then raise exception 'no such incident' using errcode = 'QI001'; end if;
  return i;
end $$;

-- Puts the clocks of an incident: [{ regime, step, cited, due, near, sent }] in their order. A time that moved is told again.
create function quorate.put_incident_clocks(p_workspace uuid, p_incident uuid, p_clocks jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from quorate.incident_clocks c where c.incident_id = p_incident and not exists (
    select from pg_catalog.jsonb_array_elements(p_clocks) e where e ->> 'regime' = c.regime and e ->> 'step' = c.step);
  insert into quorate.incident_clocks as c (workspace_id, incident_id, regime, step, place, cited, due_at, near_at, sent_at)
    select p_workspace, p_incident, e ->> 'regime', e ->> 'step', n, e ->> 'cited', (e ->> 'due')::timestamptz,
      (e ->> 'near')::timestamptz, (e ->> 'sent')::timestamptz
    from pg_catalog.jsonb_array_elements(p_clocks) with ordinality x (e, n)
  on conflict (incident_id, regime, step) do update
    set place = excluded.place, cited = excluded.cited, due_at = excluded.due_at, near_at = excluded.near_at, sent_at = excluded.sent_at,
      near_told_at = case when c.due_at is not distinct from excluded.due_at then c.near_told_at end,
      over_told_at = case when c.due_at is not distinct from excluded.due_at then c.over_told_at end;
end $$;

-- Records an incident. Any member, in person. `p_incident`: { title, happened, severity, harm, noticedAt, classifiedAt, regimes, touches }.
-- Answers its number.
create function quorate.record_incident(p_id uuid, p_incident jsonb, p_clocks jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id(); v_user uuid := quorate.current_user_id(); v_number int; v_name text;
begin
  select m.name into v_name from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_user;
  if v_name is null or quorate.current_key_id() is not null then
    raise exception 'a member records an incident' using errcode = 'QI002';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('incident:' || v_workspace::text, 0));
  select coalesce(max(i.number), 0) + 1 into v_number from quorate.incidents i where i.workspace_id = v_workspace;
  insert into quorate.incidents (id, workspace_id, number, title, happened, severity, harm, noticed_at, classified_at, regimes, touches,
    recorded_by)
  values (p_id, v_workspace, v_number, p_incident ->> 'title', p_incident ->> 'happened', p_incident ->> 'severity',
    p_incident ->> 'harm', (p_incident ->> 'noticedAt')::timestamptz, (p_incident ->> 'classifiedAt')::timestamptz,
    (select coalesce(pg_catalog.array_agg(r), '{}') from pg_catalog.jsonb_array_elements_text(p_incident -> 'regimes') r),
    p_incident -> 'touches', v_user);
  perform quorate.put_incident_clocks(v_workspace, p_id, p_clocks);
  perform quorate.notify(v_workspace, pg_catalog.array_remove(quorate.members_with(v_workspace, 'approver', 'admin'), v_user),
    'incident', 'notifyIncidentRecorded', pg_catalog.jsonb_build_object('title', p_incident ->> 'title', 'name', v_name),
    pg_catalog.jsonb_build_object('kind', 'incident', 'id', p_id), 'incident:' || p_id);
  return v_number;
end $$;

-- Judges an open incident anew: severity, harm, when it was classified, and which laws apply. A reason says why.
create function quorate.assess_incident(p_id uuid, p_incident uuid, p_after jsonb, p_note text, p_clocks jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare i quorate.incidents := quorate.own_incident(p_incident);
begin
  if i.closed_at is not null then raise exception 'it is closed' using errcode = 'QI003'; end if;
  insert into quorate.incident_entries (id, workspace_id, incident_id, kind, note, before, after, made_by)
  values (p_id, i.workspace_id, i.id, 'assessed', p_note,
    pg_catalog.jsonb_build_object('severity', i.severity, 'harm', i.harm, 'classifiedAt', i.classified_at, 'regimes', i.regimes),
    p_after, quorate.current_user_id());
  update quorate.incidents x set severity = p_after ->> 'severity', harm = p_after ->> 'harm',
    classified_at = (p_after ->> 'classifiedAt')::timestamptz,
    regimes = (select coalesce(pg_catalog.array_agg(r), '{}') from pg_catalog.jsonb_array_elements_text(p_after -> 'regimes') r)
    where x.id = i.id;
  perform quorate.put_incident_clocks(i.workspace_id, i.id, p_clocks);
end $$;

-- Records that a report was sent, or corrects what was recorded of it: the last entry of a report counts, and the earlier ones stay.
create function quorate.report_incident(p_id uuid, p_incident uuid, p_regime text, p_step text, p_sent timestamptz, p_reference text,
  p_note text, p_clocks jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare i quorate.incidents := quorate.own_incident(p_incident);
begin
  if not exists (select from quorate.incident_clocks c where c.incident_id = i.id and c.regime = p_regime and c.step = p_step) then
    raise exception 'no such report' using errcode = 'QI004';
  end if;
  insert into quorate.incident_entries (id, workspace_id, incident_id, kind, regime, step, sent_at, reference, note, made_by)
    values (p_id, i.workspace_id, i.id, 'reported', p_regime, p_step, p_sent, p_reference, p_note, quorate.current_user_id());
  perform quorate.put_incident_clocks(i.workspace_id, i.id, p_clocks);
end $$;

create function quorate.note_incident(p_id uuid, p_incident uuid, p_note text) returns void
language plpgsql security definer set search_path = '' as $$
declare i quorate.incidents := quorate.own_incident(p_incident);
begin
  insert into quorate.incident_entries (id, workspace_id, incident_id, kind, note, made_by)
    values (p_id, i.workspace_id, i.id, 'noted', p_note, quorate.current_user_id());
end $$;

-- Closes it with its root cause, once every report was sent.
create function quorate.close_incident(p_id uuid, p_incident uuid, p_cause text) returns void
language plpgsql security definer set search_path = '' as $$
declare i quorate.incidents := quorate.own_incident(p_incident);
begin
  if i.closed_at is not null then raise exception 'it is closed' using errcode = 'QI003'; end if;
  if exists (select from quorate.incident_clocks c where c.incident_id = i.id and c.sent_at is null) then
    raise exception 'reports are open' using errcode = 'QI005';
  end if;
  insert into quorate.incident_entries (id, workspace_id, incident_id, kind, note, made_by)
    values (p_id, i.workspace_id, i.id, 'closed', p_cause, quorate.current_user_id());
  update quorate.incidents x set closed_at = pg_catalog.clock_timestamp(), root_cause = p_cause where x.id = i.id;
end $$;

-- Tells approvers, admins and whoever recorded it, once when a report is nearly due and once when it is overdue. Answers how many clocks.
create function quorate.remind_incidents() returns int language plpgsql security definer set search_path = '' as $$
declare c record; v_over boolean; v_count int := 0;
begin
  perform quorate.require_session();
  for c in select x.*, i.title, i.recorded_by from quorate.incident_clocks x join quorate.incidents i on i.id = x.incident_id
    where x.sent_at is null and x.over_told_at is null and x.near_at <= pg_catalog.clock_timestamp()
      and (x.near_told_at is null or x.due_at <= pg_catalog.clock_timestamp())
    order by x.due_at limit 200 for update of x skip locked loop
    v_over := c.due_at <= pg_catalog.clock_timestamp();
    update quorate.incident_clocks x set near_told_at = coalesce(x.near_told_at, pg_catalog.clock_timestamp()),
      over_told_at = case when v_over then pg_catalog.clock_timestamp() end
      where x.incident_id = c.incident_id and x.regime = c.regime and x.step = c.step;
    perform quorate.notify(c.workspace_id, quorate.members_with(c.workspace_id, 'approver', 'admin') || c.recorded_by, 'incident',
      case when v_over then 'notifyIncidentOverdue' else 'notifyIncidentDue' end,
      pg_catalog.jsonb_build_object('title', c.title, 'law', c.cited, 'due', quorate.deputy_time(c.due_at)),
      pg_catalog.jsonb_build_object('kind', 'incident', 'id', c.incident_id),
      'incident-' || case when v_over then 'over' else 'near' end || ':' || c.incident_id || ':' || c.regime || ':' || c.step || ':'
        || extract(epoch from c.due_at)::bigint);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

create trigger immutable before update on quorate.incident_entries for each row execute function quorate.refuse_change();
create trigger immutable before update on quorate.incidents for each row
  when (row(old.id, old.workspace_id, old.number, old.title, old.happened, old.noticed_at, old.touches, old.recorded_by, old.recorded_at)
    is distinct from
    row(new.id, new.workspace_id, new.number, new.title, new.happened, new.noticed_at, new.touches, new.recorded_by, new.recorded_at)
    or old.closed_at is not null) execute function quorate.refuse_change();
create constraint trigger audited after insert or update on quorate.incidents
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert on quorate.incident_entries
  deferrable initially deferred for each row execute function quorate.require_audit_event();

-- Whoever sees all runs reads all of them; others what they recorded.
create policy read_incidents on quorate.incidents for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and ((select quorate.sees_all_runs()) or recorded_by = (select quorate.current_user_id())));
create policy read_entries on quorate.incident_entries for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and exists (select from quorate.incidents i where i.id = incident_id));
create policy read_clocks on quorate.incident_clocks for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and exists (select from quorate.incidents i where i.id = incident_id));

grant select on quorate.incidents, quorate.incident_entries, quorate.incident_clocks to quorate_member;
revoke all on function quorate.own_incident(uuid), quorate.put_incident_clocks(uuid, uuid, jsonb),
  quorate.record_incident(uuid, jsonb, jsonb), quorate.assess_incident(uuid, uuid, jsonb, text, jsonb),
  quorate.report_incident(uuid, uuid, text, text, timestamptz, text, text, jsonb), quorate.note_incident(uuid, uuid, text),
  quorate.close_incident(uuid, uuid, text), quorate.remind_incidents() from public;
grant execute on function quorate.record_incident(uuid, jsonb, jsonb), quorate.assess_incident(uuid, uuid, jsonb, text, jsonb),
  quorate.report_incident(uuid, uuid, text, text, timestamptz, text, text, jsonb), quorate.note_incident(uuid, uuid, text),
  quorate.close_incident(uuid, uuid, text) to quorate_member;
grant execute on function quorate.remind_incidents() to quorate_app;
