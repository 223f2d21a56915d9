-- What an administrator rules by: the short name of the workspace, how safely its members sign in, and a workspace of one's own more.

grant update (slug) on quorate.workspaces to quorate_member;

-- Per member: open sessions, when they last signed in, and wrong passwords that count against the account now. The table of limits holds
-- digests of addresses; only here is one compared, for members of the reader's own workspace.
create function quorate.read_member_security(p_window interval)
returns table (user_id uuid, sessions int, last_seen_at timestamptz, last_sign_in_at timestamptz, wrong_passwords int)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not quorate.has_role('admin', 'auditor') or quorate.current_key_id() is not null then raise exception 'not for this member' using errcode = '42501'; end if;
  return query
    select m.user_id, coalesce(s.n, 0), s.seen, u.last_sign_in_at::timestamptz, coalesce(l.hits, 0)
    from quorate.members m
    join auth.users u on u.id = m.user_id
    left join lateral (select count(*)::int as n, max(coalesce(x.last_seen_at, a.created_at)) as seen
      from auth.sessions a left join quorate.user_sessions x on x.session_id = a.id
      where a.user_id = m.user_id and (a.not_after is null or a.not_after > now())) s on true
    left join quorate.rate_limits l on l.window_started_at > now() - p_window
      and l.key = 'signInAccount:' || pg_catalog.rtrim(pg_catalog.translate(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(lower(u.email), 'UTF8')), 'base64'), '+/', '-_'), '=')
    where m.workspace_id = quorate.current_workspace_id()
    order by m.name, m.user_id;
end $$;

-- Keys that still work and end soon, whoever they belong to. Never a hash.
create function quorate.list_ending_keys(p_until timestamptz)
returns table (id uuid, name text, prefix text, owner text, expires_at timestamptz, last_used_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not quorate.has_role('admin', 'auditor') or quorate.current_key_id() is not null then raise exception 'not for this member' using errcode = '42501'; end if;
  return query
    select k.id, k.name, k.prefix, m.name, k.expires_at, k.last_used_at
    from quorate.api_keys k join quorate.members m on m.workspace_id = k.workspace_id and m.user_id = k.user_id
    where k.workspace_id = quorate.current_workspace_id() and k.revoked_at is null and k.expires_at > now() and k.expires_at <= p_until
    order by k.expires_at, k.id limit 100;
end $$;

-- A workspace with its first admin: one path, for who signs up and for who founds another one.
create function quorate.found_workspace(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text, p_slug text, p_event uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.workspaces (id, name, slug, plan, trial_ends_at) values (p_workspace, p_workspace_name, p_slug, 'professional', now() + interval '30 days');
  insert into quorate.members (workspace_id, user_id, roles, name, email) values (p_workspace, p_user, '{user,builder,admin}', p_name, p_email);
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, p_workspace, 'member', p_user, p_name, 'workspace.created', 'workspace', p_workspace::text, p_workspace_name, '{}', pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
end $$;

create or replace function quorate.ensure_account(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text, p_slug text, p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
  select m.workspace_id into v_ws from quorate.members m where m.user_id = p_user order by m.created_at, m.workspace_id limit 1;
  if v_ws is not null then return v_ws; end if;
  perform quorate.found_workspace(p_user, p_email, p_name, p_workspace, p_workspace_name, p_slug, p_event);
  return p_workspace;
end $$;

-- False: this person rules as many workspaces as one may.
create function quorate.create_workspace(p_user uuid, p_session uuid, p_name text, p_workspace uuid, p_workspace_name text, p_slug text, p_event uuid, p_most int) returns boolean
language plpgsql security definer set search_path = '' as $$
declare v_email text;
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now())) then raise exception 'session is over' using errcode = 'QP001'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  if (select count(*) from quorate.members m where m.user_id = p_user and 'admin' = any (m.roles)) >= p_most then return false; end if;
  select u.email into strict v_email from auth.users u where u.id = p_user;
  perform quorate.found_workspace(p_user, v_email, p_name, p_workspace, p_workspace_name, p_slug, p_event);
  return true;
end $$;

revoke all on function quorate.read_member_security(interval), quorate.list_ending_keys(timestamptz),
  quorate.found_workspace(uuid, text, text, uuid, text, text, uuid), quorate.create_workspace(uuid, uuid, text, uuid, text, text, uuid, int) from public;
grant execute on function quorate.read_member_security(interval), quorate.list_ending_keys(timestamptz) to quorate_member;
grant execute on function quorate.create_workspace(uuid, uuid, text, uuid, text, text, uuid, int) to quorate_app;

-- What the status of a control is computed from, in numbers alone: every member reads the same ones.
create function quorate.read_control_figures(p_since timestamptz)
returns table (members int, approvers int, approvers_apart int, admins int, decisions boolean, first_event_at timestamptz, unplaced_since timestamptz,
  checkpoint_at timestamptz, checkpoint_sent_at timestamptz, halted_at timestamptz, connections int, unchecked int, failing int,
  changed_definitions int, endless_keys int, decided_approvals int, expired_approvals int)
language sql stable security definer set search_path = '' as $$
  select m.n, m.approvers, m.apart, m.admins,
    exists (select from quorate.decisions d where d.workspace_id = w.id and d.decided_at >= p_since),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id order by e.at limit 1),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.leaf_index is null order by e.at, e.id limit 1),
    (select p.signed_at from quorate.checkpoints p where p.workspace_id = w.id order by p.size desc limit 1),
    (select p.delivered_at from quorate.checkpoints p where p.workspace_id = w.id and p.delivered_at is not null order by p.size desc limit 1),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.action = 'workspace.halted' order by e.at desc limit 1),
    c.n, c.unchecked, c.failing,
    (select count(*)::int from quorate.capabilities y join quorate.connections x on x.id = y.connection_id and x.deleted_at is null
      where y.workspace_id = w.id and y.removed_at is null and y.approved_fingerprint is not null and y.approved_fingerprint <> y.fingerprint),
    (select count(*)::int from quorate.api_keys k where k.workspace_id = w.id and k.revoked_at is null and k.expires_at is null),
    a.decided, a.expired
  from (select quorate.current_workspace_id() as id) w
  cross join lateral (select count(*)::int as n, (count(*) filter (where 'approver' = any (x.roles)))::int as approvers,
      (count(*) filter (where 'approver' = any (x.roles) and not 'builder' = any (x.roles)))::int as apart, (count(*) filter (where 'admin' = any (x.roles)))::int as admins
    from quorate.members x where x.workspace_id = w.id) m
  cross join lateral (select count(*)::int as n, (count(*) filter (where x.last_check_at is null or x.last_check_at < p_since))::int as unchecked, (count(*) filter (where x.status = 'error'))::int as failing
    from quorate.connections x where x.workspace_id = w.id and x.deleted_at is null and x.status <> 'disconnected') c
  cross join lateral (select (count(*) filter (where x.status in ('approved', 'consumed', 'rejected')))::int as decided, (count(*) filter (where x.status = 'expired'))::int as expired
    from quorate.approvals x where x.workspace_id = w.id and x.created_at >= p_since) a
$$;
revoke all on function quorate.read_control_figures(timestamptz) from public;
grant execute on function quorate.read_control_figures(timestamptz) to quorate_member;
