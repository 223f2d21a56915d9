-- Who may see and do what. Every table has row level security on; quorate_app itself may touch nothing.

-- ---------------------------------------------------------------------------------------------------------------
-- Becoming a principal. Each refuses on doubt; settings last until the transaction ends.

-- A member of a workspace, in a session that has not been revoked. Workspace null: a signed-in person outside any.
create function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid) returns text[]
language plpgsql security definer set search_path = '' as $$
declare v_roles text[];
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now())) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  if p_workspace is not null then
    select m.roles into v_roles from quorate.members m where m.workspace_id = p_workspace and m.user_id = p_user;
    if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  end if;
  perform set_config('quorate.user_id', p_user::text, true), set_config('quorate.workspace_id', coalesce(p_workspace::text, ''), true),
    set_config('quorate.roles', array_to_string(coalesce(v_roles, '{}'), ','), true), set_config('quorate.key_id', '', true);
  return coalesce(v_roles, '{}');
end $$;

-- An API key acts as its member, with the intersection of its scopes and the member's present roles; it never approves.
create function quorate.become_key(p_key_hash bytea) returns table (key_id uuid, user_id uuid, workspace_id uuid, roles text[])
language plpgsql security definer set search_path = '' as $$
declare k quorate.api_keys; v_roles text[]; v_granted text[];
begin
  select * into k from quorate.api_keys a where a.key_hash = p_key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = k.workspace_id and m.user_id = k.user_id;
  if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  select coalesce(array_agg(r), '{}') into v_granted from unnest(v_roles) r
    where (r = 'user' and k.scopes && array['read', 'run']) or (r = 'builder' and 'author' = any (k.scopes)) or (r = 'auditor' and 'audit' = any (k.scopes)) or (r = 'admin' and 'admin' = any (k.scopes));
  perform set_config('quorate.user_id', k.user_id::text, true), set_config('quorate.workspace_id', k.workspace_id::text, true),
    set_config('quorate.roles', array_to_string(v_granted, ','), true), set_config('quorate.key_id', k.id::text, true);
  update quorate.api_keys a set last_used_at = now() where a.id = k.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  return query select k.id, k.user_id, k.workspace_id, v_granted;
end $$;

-- A worker acts inside one workspace and nowhere else.
create function quorate.become_worker(p_workspace uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from quorate.workspaces w where w.id = p_workspace) then raise exception 'unknown workspace' using errcode = 'QP004'; end if;
  perform set_config('quorate.user_id', '', true), set_config('quorate.workspace_id', p_workspace::text, true),
    set_config('quorate.roles', '', true), set_config('quorate.key_id', '', true);
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- Grants and policies

do $$
declare t text;
begin
  for t in select tablename from pg_tables where schemaname = 'quorate' loop
    execute format('alter table quorate.%I enable row level security', t);
  end loop;
end $$;

grant select on all tables in schema quorate to quorate_member, quorate_worker;
revoke all on quorate.rate_limits, quorate.newsletter_subscribers, quorate.contact_requests, quorate.caught_mails from quorate_member, quorate_worker;

-- What everyone in the workspace may read.
do $$
declare t text;
begin
  foreach t in array array['connections', 'capabilities', 'members', 'approvals', 'approval_votes', 'checkpoints', 'audit_nodes'] loop
    execute format('create policy read_workspace on quorate.%I for select to quorate_member using (workspace_id = (select quorate.current_workspace_id()))', t);
  end loop;
  foreach t in array array['artifacts', 'drafts', 'versions', 'triggers', 'connections', 'capabilities', 'members', 'runs', 'steps', 'decisions', 'approvals', 'approval_votes', 'audit_events', 'audit_nodes', 'checkpoints', 'deliveries', 'notifications', 'files'] loop
    execute format('create policy worker_reads on quorate.%I for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()))', t);
  end loop;
end $$;
create policy worker_reads on quorate.workspaces for select to quorate_worker using (id = (select quorate.current_workspace_id()));

-- Frame
create policy read_own on quorate.workspaces for select to quorate_member
  using (id = (select quorate.current_workspace_id()) or ((select quorate.current_key_id()) is null and exists (select from quorate.members m where m.workspace_id = id and m.user_id = (select quorate.current_user_id()))));
create policy admin_updates on quorate.workspaces for update to quorate_member
  using (id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))) with check (id = (select quorate.current_workspace_id()));
grant update (name, settings, plan, trial_ends_at, halted_at, halted_by) on quorate.workspaces to quorate_member;

create policy read_self on quorate.members for select to quorate_member using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);
create policy admin_writes on quorate.members for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))) with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
grant insert, update (roles, name), delete on quorate.members to quorate_member;

create policy admin_all on quorate.invitations for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))) with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
grant insert, update (withdrawn_at) on quorate.invitations to quorate_member;

create policy own_keys on quorate.api_keys for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin'))))
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin'))));
grant insert, update (name, revoked_at) on quorate.api_keys to quorate_member;

create policy own on quorate.user_sessions for all to quorate_member using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null) with check (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);
grant insert, update, delete on quorate.user_sessions to quorate_member;
create policy own on quorate.preferences for all to quorate_member using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null) with check (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);
grant insert, update on quorate.preferences to quorate_member;
create policy own on quorate.notifications for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())) with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()));
grant update (read_at) on quorate.notifications to quorate_member;
create policy own on quorate.saved_views for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())) with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()));
grant insert, update, delete on quorate.saved_views to quorate_member;
create policy own on quorate.files for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id())) with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id()));
grant insert, delete on quorate.files to quorate_member;
create policy admin_reads on quorate.deliveries for select to quorate_member using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'auditor')));
create policy member_queues on quorate.deliveries for insert to quorate_member with check (workspace_id = (select quorate.current_workspace_id()) and status = 'pending');
grant insert on quorate.deliveries to quorate_member, quorate_worker;
create policy worker_queues on quorate.deliveries for insert to quorate_worker with check (workspace_id = (select quorate.current_workspace_id()));

-- Authored. A plain user sees what is published; builders author workflows and agents, admins policies.
create policy read_published on quorate.artifacts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (published_version_id is not null or owner_id = (select quorate.current_user_id()) or (select quorate.has_role('builder', 'auditor', 'admin', 'approver'))));
create policy author_inserts on quorate.artifacts for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id()) and ((kind in ('workflow', 'agent') and (select quorate.has_role('builder'))) or (kind = 'policy' and (select quorate.has_role('admin')))));
create policy author_updates on quorate.artifacts for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((kind in ('workflow', 'agent') and (select quorate.has_role('builder'))) or (kind = 'policy' and (select quorate.has_role('admin')))))
  with check (workspace_id = (select quorate.current_workspace_id()));
grant insert, update (name, description, owner_id, tags, status, published_version_id, draft_revision, updated_at, deleted_at) on quorate.artifacts to quorate_member;
create policy read_drafts on quorate.drafts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((select quorate.has_role('builder', 'auditor', 'admin', 'approver')) or exists (select from quorate.artifacts a where a.id = artifact_id and a.owner_id = (select quorate.current_user_id()))));
create policy read_versions on quorate.versions for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((select quorate.has_role('builder', 'auditor', 'admin', 'approver')) or exists (select from quorate.artifacts a where a.id = artifact_id)));
create policy author_writes on quorate.drafts for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and exists (select from quorate.artifacts a where a.id = artifact_id and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder'))) or (a.kind = 'policy' and (select quorate.has_role('admin'))))))
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id())
    and exists (select from quorate.artifacts a where a.id = artifact_id and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder'))) or (a.kind = 'policy' and (select quorate.has_role('admin'))))));
grant insert, delete on quorate.drafts to quorate_member;
create policy author_inserts on quorate.versions for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id())
    and exists (select from quorate.artifacts a where a.id = artifact_id and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder'))) or (a.kind = 'policy' and (select quorate.has_role('admin'))))));
grant insert on quorate.versions to quorate_member;
create policy author_all on quorate.triggers for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder'))) with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
grant insert, update, delete on quorate.triggers to quorate_member;

-- Reachable. Builders connect; approvers and admins accept what a connection offers.
create policy builder_inserts on quorate.connections for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id()) and (select quorate.has_role('builder')));
create policy builder_updates on quorate.connections for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin'))) with check (workspace_id = (select quorate.current_workspace_id()));
grant insert, update (name, slug, description, endpoint, sealed_credential, settings, status, personal_data_allowed, protocol_version, last_check_at, last_error, updated_at, deleted_at) on quorate.connections to quorate_member;
create policy builder_inserts on quorate.capabilities for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin')) and approved_fingerprint is null);
create policy writes on quorate.capabilities for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'approver', 'admin'))) with check (workspace_id = (select quorate.current_workspace_id()));
grant insert, update (title, description, input_schema, output_schema, definition, fingerprint, approved_fingerprint, approved_definition, approved_by, approved_at, last_seen_at, removed_at) on quorate.capabilities to quorate_member;

-- Who connects may list and pin; only an approver or an admin approves, and only what the peer says now.
create function quorate.guard_capability_approval() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and new.approved_fingerprint is distinct from old.approved_fingerprint and new.approved_fingerprint is not null
    and not (quorate.has_role('approver', 'admin') and quorate.current_key_id() is null and new.approved_by = quorate.current_user_id() and new.approved_fingerprint = new.fingerprint) then
    raise exception 'only an approver or an admin approves a capability, as it is now' using errcode = 'QP005';
  end if;
  return new;
end $$;
create trigger guard_capability_approval before update on quorate.capabilities for each row execute function quorate.guard_capability_approval();
-- Personal data may go to a connection only when an approver or an admin has said so.
create function quorate.guard_connection_approval() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and new.personal_data_allowed and (tg_op = 'INSERT' or not old.personal_data_allowed)
    and not (quorate.has_role('approver', 'admin') and quorate.current_key_id() is null) then
    raise exception 'only an approver or an admin allows personal data' using errcode = 'QP005';
  end if;
  return new;
end $$;
create trigger guard_connection_approval before insert or update on quorate.connections for each row execute function quorate.guard_connection_approval();

-- Happened. A plain user sees their own runs.
create policy read_runs on quorate.runs for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((select quorate.sees_all_runs()) or initiator_id = (select quorate.current_user_id())));
create policy start_runs on quorate.runs for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and initiator_id = (select quorate.current_user_id()) and status = 'pending' and (mode = 'live' or (select quorate.has_role('builder'))) and (select quorate.has_role('user', 'builder', 'approver', 'auditor', 'admin')));
create policy cancel_runs on quorate.runs for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (initiator_id = (select quorate.current_user_id()) or (select quorate.has_role('builder', 'admin')))) with check (workspace_id = (select quorate.current_workspace_id()));
grant insert, update (status, cancel_requested_at, cancelled_by, finished_at, updated_at, wake) on quorate.runs to quorate_member;
create policy read_steps on quorate.steps for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy read_decisions on quorate.decisions for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));

-- Proof. Auditors and admins read the whole log, others what they did themselves. Nobody but the sequencer updates it.
create policy read_log on quorate.audit_events for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((select quorate.has_role('auditor', 'admin')) or actor_id = (select quorate.current_user_id())));
create policy append on quorate.audit_events for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and actor_id = coalesce((select quorate.current_key_id()), (select quorate.current_user_id())) and leaf_index is null);
grant insert on quorate.audit_events to quorate_member, quorate_worker;
create policy worker_appends on quorate.audit_events for insert to quorate_worker with check (workspace_id = (select quorate.current_workspace_id()) and leaf_index is null);
create policy place on quorate.audit_events for update to quorate_worker using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));
grant update (leaf_index, leaf_hash, body_digest) on quorate.audit_events to quorate_worker;
create policy place on quorate.audit_nodes for insert to quorate_worker with check (workspace_id = (select quorate.current_workspace_id()));
grant insert on quorate.audit_nodes to quorate_worker;
create policy place on quorate.checkpoints for all to quorate_worker using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));
grant insert, update (delivered_at) on quorate.checkpoints to quorate_worker;

-- ---------------------------------------------------------------------------------------------------------------
-- Instance-wide verbs for quorate_app: each does one thing for someone who is nobody yet.

-- Profile, and a workspace of one's own where one is admin and builder, for a confirmed account. Idempotent.
create function quorate.ensure_account(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text, p_slug text, p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
  select m.workspace_id into v_ws from quorate.members m where m.user_id = p_user order by m.created_at, m.workspace_id limit 1;
  if v_ws is not null then return v_ws; end if;
  insert into quorate.workspaces (id, name, slug, plan, trial_ends_at) values (p_workspace, p_workspace_name, p_slug, 'professional', now() + interval '30 days');
  insert into quorate.members (workspace_id, user_id, roles, name, email) values (p_workspace, p_user, '{user,builder,admin}', p_name, p_email);
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, p_workspace, 'member', p_user, p_name, 'workspace.created', 'workspace', p_workspace::text, p_workspace_name, '{}', pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return p_workspace;
end $$;

-- An invitation as its holder sees it before signing in: nothing but what the mail said.
create function quorate.peek_invitation(p_token_hash bytea) returns table (id uuid, workspace_name text, email text, roles text[], state text)
language sql stable security definer set search_path = '' as $$
  select i.id, w.name, i.email, i.roles, case when i.withdrawn_at is not null then 'withdrawn' when i.accepted_at is not null then 'accepted' when i.declined_at is not null then 'declined' when i.expires_at <= now() then 'expired' else 'open' end
  from quorate.invitations i join quorate.workspaces w on w.id = i.workspace_id where i.token_hash = p_token_hash
$$;

-- Single use, bound to the confirmed e-mail address of the session's user.
create function quorate.answer_invitation(p_token_hash bytea, p_user uuid, p_session uuid, p_accept boolean, p_name text, p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_email text;
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now())) then raise exception 'session is over' using errcode = 'QP001'; end if;
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  select * into i from quorate.invitations x where x.token_hash = p_token_hash for update;
  if i.id is null or i.accepted_at is not null or i.declined_at is not null or i.withdrawn_at is not null or i.expires_at <= now() then raise exception 'invitation is over' using errcode = 'QP006'; end if;
  if v_email is null or lower(v_email) <> lower(i.email) then raise exception 'invitation is for another address' using errcode = 'QP007'; end if;
  update quorate.invitations x set accepted_at = case when p_accept then now() end, declined_at = case when not p_accept then now() end where x.id = i.id;
  if p_accept then
    insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
    insert into quorate.members (workspace_id, user_id, roles, name, email) values (i.workspace_id, p_user, i.roles, p_name, v_email) on conflict (workspace_id, user_id) do nothing;
  end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, i.workspace_id, 'member', p_user, p_name, case when p_accept then 'invitation.accepted' else 'invitation.declined' end, 'invitation', i.id::text, i.email, jsonb_build_object('roles', i.roles), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return i.workspace_id;
end $$;

-- Counts a hit; answers 0 when allowed, else the seconds to wait. Holds across processes.
create function quorate.take_limit(p_key text, p_max int, p_window_seconds int) returns int
language plpgsql security definer set search_path = '' as $$
declare r quorate.rate_limits;
begin
  insert into quorate.rate_limits as l (key, window_started_at, hits) values (p_key, clock_timestamp(), 1)
  on conflict (key) do update set
    hits = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then 1 else l.hits + 1 end,
    window_started_at = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then clock_timestamp() else l.window_started_at end
  returning * into r;
  if r.hits <= p_max then return 0; end if;
  return greatest(1, ceil(extract(epoch from r.window_started_at + make_interval(secs => p_window_seconds) - clock_timestamp()))::int);
end $$;

create function quorate.catch_mail(p_id uuid, p_recipient text, p_subject text, p_text text, p_html text) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.caught_mails (id, recipient, subject, text_body, html_body) values (p_id, p_recipient, p_subject, p_text, p_html)
$$;
create function quorate.list_caught_mails(p_limit int) returns setof quorate.caught_mails
language sql stable security definer set search_path = '' as $$
  select * from quorate.caught_mails order by caught_at desc limit least(p_limit, 500)
$$;

do $$
declare f regprocedure;
begin
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'quorate'::regnamespace loop
    execute format('revoke all on function %s from public', f);
  end loop;
end $$;
grant execute on function quorate.current_user_id(), quorate.current_workspace_id(), quorate.current_key_id(), quorate.has_role(text[]), quorate.sees_all_runs() to quorate_member, quorate_worker;
grant execute on function quorate.become_member(uuid, uuid, uuid), quorate.become_key(bytea) to quorate_member;
grant execute on function quorate.become_worker(uuid) to quorate_worker;
grant execute on function quorate.ensure_account(uuid, text, text, uuid, text, text, uuid), quorate.peek_invitation(bytea), quorate.answer_invitation(bytea, uuid, uuid, boolean, text, uuid),
  quorate.take_limit(text, int, int), quorate.catch_mail(uuid, text, text, text, text), quorate.list_caught_mails(int) to quorate_app;
