-- People see which providers of companies sign them in, and end that.
create function quorate.key_of_identity(p_identity quorate.company_identities) returns text language sql stable set search_path = '' as $$
  select pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.concat_ws(E'\n', p_identity.workspace_id, p_identity.issuer,
    p_identity.client_id), 'UTF8')), 'hex')
$$;

-- The providers of companies that have signed in the person of this transaction, over all workspaces. `key` names one. `required`: its
-- workspace takes no other sign-in of theirs.
create function quorate.list_own_identities()
  returns table (key text, workspace text, provider text, created_at timestamptz, required boolean)
language sql stable security definer set search_path = '' as $$
  select quorate.key_of_identity(c), w.name,
    coalesce((select i.name from quorate.identity_providers i where i.workspace_id = c.workspace_id and i.issuer = c.issuer
      and i.client_id = c.client_id order by i.created_at desc, i.id desc limit 1), c.issuer),
    c.created_at, (w.sign_in -> 'enforced')::boolean and not w.sign_in -> 'exempt' ? c.user_id::text
  from quorate.company_identities c join quorate.workspaces w on w.id = c.workspace_id
  where c.user_id = quorate.current_user_id() and quorate.current_key_id() is null
  order by c.created_at, c.workspace_id, c.issuer, c.client_id
$$;

-- From now on this provider signs this person in no more, until they are linked again. Outcomes: removed; gone; required, the workspace
-- takes no other sign-in. Sessions that stand go on.
create function quorate.remove_own_identity(p_user uuid, p_session uuid, p_key text) returns text
language plpgsql security definer set search_path = '' as $$
declare c quorate.company_identities;
begin
  perform quorate.require_standing(p_user, p_session);
  select x.* into c from quorate.company_identities x where x.user_id = p_user and quorate.key_of_identity(x) = p_key for update;
  if c.user_id is null then return 'gone'; end if;
  if exists (select from quorate.workspaces w where w.id = c.workspace_id and (w.sign_in -> 'enforced')::boolean
    and not w.sign_in -> 'exempt' ? p_user::text) then return 'required'; end if;
  delete from quorate.company_identities x where x.workspace_id = c.workspace_id and x.issuer = c.issuer and x.client_id = c.client_id
    and x.subject = c.subject;
  perform quorate.note_account_event(p_user, 'account.identityRemoved');
  return 'removed';
end $$;

revoke all on function quorate.key_of_identity(quorate.company_identities), quorate.list_own_identities(),
  quorate.remove_own_identity(uuid, uuid, text) from public;
grant execute on function quorate.remove_own_identity(uuid, uuid, text) to quorate_app;
grant execute on function quorate.list_own_identities() to quorate_member;
