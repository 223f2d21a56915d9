-- Enquiries of strangers to the operator, and the health of the instance.

create table quorate.newsletter_subscribers (
email text primary key,
 language text not null,
 subscribed_at timestamptz not null default now(),
  -- The newsletter is asked for by somebody who is nobody yet: one verb, which stores an address once and never says whether it was there.
  sharing_refused boolean not null default false
);
alter table quorate.newsletter_subscribers enable row level security;

create table quorate.contact_requests (
id uuid primary key,
 name text not null,
 email text not null,
 company text not null default '',
 message text not null,
 topic text not null,
 created_at timestamptz not null default now(),
  -- Somebody who is nobody yet writes to the operator: one verb, which stores the same words of the same address once a day.
  language text not null default 'en',
  sharing_refused boolean not null default false,
  -- Requests to the operator are seen and answered. The operator's workspace is the instance's first one: whoever set the instance up made
  -- it, and its admins read what strangers write. They are told in their inbox, and by mail unless they do not want that.
  answered_at timestamptz,
  answered_by uuid references public.profiles (id) on delete set null
);
create index contact_requests_email_idx on quorate.contact_requests (lower(email), created_at);
create index contact_requests_newest on quorate.contact_requests (created_at desc, id desc);
create index contact_requests_open on quorate.contact_requests (created_at desc, id desc) where answered_at is null;
alter table quorate.contact_requests enable row level security;

create function quorate.operator_workspace_id() returns uuid language sql stable security definer set search_path = '' as $$
  select w.id from quorate.workspaces w order by w.created_at, w.id limit 1
$$;

create function quorate.runs_instance() returns boolean language sql stable security definer set search_path = '' as $$
  select quorate.current_key_id() is null and quorate.has_role('admin') and quorate.current_workspace_id() = quorate.operator_workspace_id()
$$;

create function quorate.subscribe_newsletter(p_email text, p_language text, p_sharing_refused boolean) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  insert into quorate.newsletter_subscribers as s (email, language, sharing_refused) values (lower(p_email), p_language, p_sharing_refused)
  -- A later refusal to share counts; a refusal is never taken back by a form that anybody may send for any address.
  on conflict (email) do update set sharing_refused = true where excluded.sharing_refused and not s.sharing_refused
$$;

create function quorate.request_contact(
  p_id uuid, p_topic text, p_name text, p_email text, p_company text, p_message text, p_language text, p_sharing_refused boolean
) returns boolean
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  with stored as (
    insert into quorate.contact_requests (id, topic, name, email, company, message, language, sharing_refused)
    select p_id, p_topic, p_name, p_email, p_company, p_message, p_language, p_sharing_refused
    where not exists (
      select 1 from quorate.contact_requests c
      where lower(c.email) = lower(p_email) and c.created_at > now() - interval '1 day' and c.topic = p_topic and c.message = p_message
    )
    returning id
  )
  select exists (select 1 from stored)
$$;

-- Says that somebody wrote and what about, nothing of what they typed.
create function quorate.notify_contact() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.operator_workspace_id();
begin
  if v_workspace is null then return null; end if;
  perform quorate.notify(v_workspace, quorate.members_with(v_workspace, 'admin'), 'contact', 'notifyContactRequest', '{}',
    pg_catalog.jsonb_build_object('kind', 'contact', 'id', new.id), 'contact:' || new.id);
  return null;
end $$;

-- What a workspace's work depends on, in numbers alone: every member reads the same ones, whatever runs they may see.
create function quorate.read_health() returns table (
  measured_at timestamptz, queued int, queued_since timestamptz, connections int, failed_checks int, checked_at timestamptz,
  unplaced_since timestamptz, checkpoint_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select pg_catalog.clock_timestamp(), q.n, q.since, c.n, c.failed, c.checked,
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.leaf_index is null order by e.at, e.id limit 1),
    (select p.signed_at from quorate.checkpoints p where p.workspace_id = w.id order by p.size desc limit 1)
  from (select quorate.current_workspace_id() as id) w
  -- ready to go on, and nobody drives it
  cross join lateral (select count(*)::int as n, min(case when r.status = 'pending' then r.created_at else r.updated_at end) as since
    from quorate.runs r where r.workspace_id = w.id and r.status in ('pending', 'waiting') and (r.status = 'pending' or r.wake)) q
  cross join lateral (select count(*)::int as n, (count(*) filter (where x.status = 'error'))::int as failed,
    min(x.last_check_at) as checked
    from quorate.connections x where x.workspace_id = w.id and x.deleted_at is null and x.status <> 'disconnected') c
$$;

-- What the status of a control is computed from, in numbers alone: every member reads the same ones.
create function quorate.read_control_figures(p_since timestamptz)
returns table (members int, approvers int, approvers_apart int, admins int, decisions boolean, first_event_at timestamptz,
  unplaced_since timestamptz,
  checkpoint_at timestamptz, checkpoint_sent_at timestamptz, halted_at timestamptz, connections int, unchecked int, failing int,
  changed_definitions int, endless_keys int, decided_approvals int, expired_approvals int)
language sql stable security definer set search_path = '' as $$
  select m.n, m.approvers, m.apart, m.admins,
    exists (select from quorate.decisions d where d.workspace_id = w.id and d.decided_at >= p_since),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id order by e.at limit 1),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.leaf_index is null order by e.at, e.id limit 1),
    (select p.signed_at from quorate.checkpoints p where p.workspace_id = w.id order by p.size desc limit 1),
    (select p.delivered_at from quorate.checkpoints p
      where p.workspace_id = w.id and p.delivered_at is not null order by p.size desc limit 1),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.action = 'workspace.halted' order by e.at desc limit 1),
    c.n, c.unchecked, c.failing,
    (select count(*)::int from quorate.capabilities y join quorate.connections x on x.id = y.connection_id and x.deleted_at is null
      where y.workspace_id = w.id and y.removed_at is null and y.approved_fingerprint is not null
        and y.approved_fingerprint <> y.fingerprint),
    (select count(*)::int from quorate.api_keys k where k.workspace_id = w.id and k.revoked_at is null and k.expires_at is null),
    a.decided, a.expired
  from (select quorate.current_workspace_id() as id) w
  cross join lateral (select count(*)::int as n, (count(*) filter (where 'approver' = any (x.roles)))::int as approvers,
      (count(*) filter (where 'approver' = any (x.roles) and not 'builder' = any (x.roles)))::int as apart,
        (count(*) filter (where 'admin' = any (x.roles)))::int as admins
    from quorate.members x where x.workspace_id = w.id) m
  cross join lateral (select count(*)::int as n,
    (count(*) filter (where x.last_check_at is null or x.last_check_at < p_since))::int as unchecked,
    (count(*) filter (where x.status = 'error'))::int as failing
    from quorate.connections x where x.workspace_id = w.id and x.deleted_at is null and x.status <> 'disconnected') c
  cross join lateral (select (count(*) filter (where x.status in ('approved', 'consumed', 'rejected')))::int as decided,
    (count(*) filter (where x.status = 'expired'))::int as expired
    from quorate.approvals x where x.workspace_id = w.id and x.created_at >= p_since) a
$$;

-- Which versions of Quorate's own schema stand here, for processes that may not read the list itself: code that does not know all of them
-- must not run on it. The list is shared with the project's other migrations, which never name our schema.
create function quorate.list_migrations() returns setof text
language sql stable security definer set search_path = '' as $$
  select m.version from supabase_migrations.schema_migrations m
  where pg_catalog.array_to_string(m.statements, ' ') like '%quorate.%' order by m.version
$$;

create trigger notify_contact after insert on quorate.contact_requests for each row execute function quorate.notify_contact();

create policy operator_reads on quorate.contact_requests for select to quorate_member using ((select quorate.runs_instance()));
create policy operator_answers on quorate.contact_requests for update to quorate_member
  using ((select quorate.runs_instance())) with check ((select quorate.runs_instance()));

grant select on quorate.contact_requests to quorate_member;
grant update (answered_at, answered_by) on quorate.contact_requests to quorate_member;
revoke all on function quorate.operator_workspace_id(), quorate.runs_instance(), quorate.subscribe_newsletter(text, text, boolean),
  quorate.request_contact(uuid, text, text, text, text, text, text, boolean), quorate.notify_contact(), quorate.read_health(),
  quorate.read_control_figures(timestamptz), quorate.list_migrations() from public;
grant execute on function quorate.subscribe_newsletter(text, text, boolean),
  quorate.request_contact(uuid, text, text, text, text, text, text, boolean), quorate.list_migrations() to quorate_app;
grant execute on function quorate.runs_instance(), quorate.read_health(), quorate.read_control_figures(timestamptz) to quorate_member;
