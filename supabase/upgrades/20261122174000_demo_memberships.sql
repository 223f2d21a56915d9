-- Whether a workspace is the demo: its shipped texts are shown in the reader's language.
drop function quorate.memberships_of(uuid, uuid, int);
create function quorate.memberships_of(p_user uuid, p_session uuid, p_count_up_to int)
returns table (
  workspace_id uuid, roles text[], name text, email text, workspace_name text, slug text, halted_at timestamptz,
  unread int, picture text, is_last boolean, is_demo boolean
)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  return query
    select m.workspace_id, m.roles, m.name, m.email, w.name, w.slug, w.halted_at,
      (select count(*)::int from (
        select from quorate.notifications n
        where n.user_id = p_user and n.workspace_id = m.workspace_id and n.read_at is null limit p_count_up_to) u),
      (select a.digest from quorate.avatars a where a.user_id = p_user),
      exists (select from quorate.preferences p where p.user_id = p_user and p.last_workspace_id = m.workspace_id),
      w.is_demo
    from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user order by m.created_at, m.workspace_id;
end $$;
revoke all on function quorate.memberships_of(uuid, uuid, int) from public;
grant execute on function quorate.memberships_of(uuid, uuid, int) to quorate_app;
