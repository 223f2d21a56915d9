-- A token outlives its session by up to an hour. The data API looks at the token alone, so the policies look at the session:
-- whoever signed out, or was signed out, is at once nobody here too.

create function quorate.session_stands() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.sessions s
    where s.id = (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid
      and s.user_id = auth.uid() and (s.not_after is null or s.not_after > now()))
$$;
revoke all on function quorate.session_stands() from public;
-- policies find it without any right on the schema, which the data API's roles do not have
grant execute on function quorate.session_stands() to authenticated;

alter policy profiles_own_select on public.profiles using (id = (select auth.uid()) and (select quorate.session_stands()));
alter policy profiles_own_insert on public.profiles with check (id = (select auth.uid()) and (select quorate.session_stands()));
alter policy profiles_own_update on public.profiles using (id = (select auth.uid()) and (select quorate.session_stands())) with check (id = (select auth.uid()) and (select quorate.session_stands()));
