-- The newsletter is asked for by somebody who is nobody yet: one verb, which stores an address once and never says whether it was there.
alter table quorate.newsletter_subscribers add column sharing_refused boolean not null default false;

create function quorate.subscribe_newsletter(p_email text, p_language text, p_sharing_refused boolean) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.newsletter_subscribers as s (email, language, sharing_refused) values (lower(p_email), p_language, p_sharing_refused)
  -- A later refusal to share counts; a refusal is never taken back by a form that anybody may send for any address.
  on conflict (email) do update set sharing_refused = true where excluded.sharing_refused and not s.sharing_refused
$$;
revoke all on function quorate.subscribe_newsletter(text, text, boolean) from public;
grant execute on function quorate.subscribe_newsletter(text, text, boolean) to quorate_app;
