-- What every page begins with, in one round trip where it took six: whether the session stands, where this person belongs, and what the
-- frame of the page says of them. For the login alone, before anybody is a member: who has become one reads by their own rights.
create function quorate.memberships_of(p_user uuid, p_session uuid, p_count_up_to int)
returns table (workspace_id uuid, roles text[], name text, email text, workspace_name text, slug text, halted_at timestamptz, unread int, picture text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  return query
    select m.workspace_id, m.roles, m.name, m.email, w.name, w.slug, w.halted_at,
      (select count(*)::int from (
        select from quorate.notifications n where n.user_id = p_user and n.workspace_id = m.workspace_id and n.read_at is null limit p_count_up_to) u),
      (select a.digest from quorate.avatars a where a.user_id = p_user)
    from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user order by m.created_at, m.workspace_id;
end $$;
revoke all on function quorate.memberships_of(uuid, uuid, int) from public;
grant execute on function quorate.memberships_of(uuid, uuid, int) to quorate_app;
