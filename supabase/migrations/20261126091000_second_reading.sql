-- Mended after a second reading: owner's rights for one's own workspace alone, less work where nobody watches, whole erasure.

create function quorate.holder_here(a quorate.approvals) returns uuid language sql stable security definer set search_path = '' as $$
  select case when a.workspace_id = quorate.current_workspace_id() then quorate.approval_holder(a) end
$$;

create function quorate.decider_refusal_here(a quorate.approvals, p_user uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case when a.workspace_id = quorate.current_workspace_id() then quorate.decider_refusal(a, p_user) else 'QV001' end
$$;

create or replace function quorate.notify_watched_run() returns trigger language plpgsql security definer set search_path = '' as $$
declare a quorate.artifacts;
begin
  if not exists (select from quorate.watches w where w.run_id = new.id)
    and not exists (select from quorate.watches w where w.artifact_id = new.artifact_id) then return null; end if;
  select * into a from quorate.artifacts x where x.id = new.artifact_id;
  perform quorate.notify_watchers(new.id,
    case new.status when 'failed' then pg_catalog.array_remove(array[new.initiator_id, a.owner_id], null) else '{}' end,
    case new.status when 'completed' then 'notifyWatchedCompleted' when 'failed' then 'notifyWatchedFailed' else
      'notifyWatchedCancelled' end,
    pg_catalog.jsonb_build_object('workflow', coalesce(a.name, '–')), pg_catalog.jsonb_build_object('kind', 'run', 'id', new.id),
    'watch-ended:' || new.id);
  return null;
end $$;

create or replace function quorate.begin_deputies() returns int language plpgsql security definer set search_path = '' as $$
declare d quorate.deputies; v_count int := 0; v_name text;
begin
  for d in select * from quorate.deputies x where x.ended_at is null and x.told_at is null and x.from_at <= pg_catalog.clock_timestamp()
    order by x.from_at limit 200 for update skip locked loop
    update quorate.deputies x set told_at = pg_catalog.clock_timestamp() where x.id = d.id;
    continue when d.until_at <= pg_catalog.clock_timestamp();
    select m.name into v_name from quorate.members m where m.workspace_id = d.workspace_id and m.user_id = d.user_id;
    perform quorate.notify(d.workspace_id, array[d.deputy_id], 'approval', 'notifyDeputyBegins',
      pg_catalog.jsonb_build_object('name', v_name, 'until', quorate.deputy_time(d.until_at)),
      pg_catalog.jsonb_build_object('kind', 'deputies', 'id', d.id), 'deputy-begins:' || d.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

create function quorate.forget_deputies() returns void language sql security definer set search_path = '' as $$
  delete from quorate.deputies x where coalesce(x.ended_at, x.until_at) < pg_catalog.clock_timestamp() - interval '30 days'
$$;

create or replace function quorate.erase_approval_comments(p_workspace uuid, p_user uuid, p_names text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare v_name text;
begin
  delete from quorate.caught_mails m using quorate.approval_comments c
    where c.workspace_id = p_workspace and c.author_id = p_user
      and pg_catalog.strpos(m.text_body, '/dashboard/approvals/' || c.approval_id::text) > 0;
  update quorate.approval_comments c set author_name = '', text = '' where c.workspace_id = p_workspace and c.author_id = p_user;
  foreach v_name in array p_names loop
    continue when pg_catalog.length(v_name) < 3;
    update quorate.approval_comments c set text = pg_catalog.regexp_replace(c.text, v_name, '', 'giq')
      where c.workspace_id = p_workspace and pg_catalog.strpos(pg_catalog.lower(c.text), pg_catalog.lower(v_name)) > 0;
  end loop;
end $$;

revoke all on function quorate.holder_here(quorate.approvals), quorate.decider_refusal_here(quorate.approvals, uuid),
  quorate.forget_deputies() from public;
revoke execute on function quorate.decider_refusal(quorate.approvals, uuid), quorate.approval_holder(quorate.approvals) from quorate_member;
grant execute on function quorate.decider_refusal_here(quorate.approvals, uuid), quorate.holder_here(quorate.approvals) to quorate_member;
grant execute on function quorate.forget_deputies() to quorate_app;
