-- Somebody who is nobody yet writes to the operator: one verb, which stores the same words of the same address once a day.
alter table quorate.contact_requests
  add column language text not null default 'en',
  add column sharing_refused boolean not null default false;
create index contact_requests_email_idx on quorate.contact_requests (lower(email), created_at);

create function quorate.request_contact(
  p_id uuid, p_topic text, p_name text, p_email text, p_company text, p_message text, p_language text, p_sharing_refused boolean
) returns boolean
language sql security definer set search_path = '' as $$
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
revoke all on function quorate.request_contact(uuid, text, text, text, text, text, text, boolean) from public;
grant execute on function quorate.request_contact(uuid, text, text, text, text, text, text, boolean) to quorate_app;
