-- That a person proved once more that it is them, for one act on one thing. The identity code alone can write it, and the act takes it.

create table quorate.reauthentications (
  id uuid primary key default quorate.make_id(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  session_id uuid not null, -- the one that acts
  method text not null check (method in ('password', 'password_and_factor', 'passkey')),
  act text not null check (act in ('vote', 'break_glass')),
  subject_id uuid not null, -- the approval or the control change
  proof bytea not null,
  at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  -- a proof counts once, also after what it brought was used
  unique (proof, subject_id)
);
create index reauthentications_fresh on quorate.reauthentications (user_id, subject_id) where consumed_at is null;
create index reauthentications_old on quorate.reauthentications (expires_at);
alter table quorate.reauthentications enable row level security;

-- Believes an HMAC of the process that has checked the password, over this session of the database, the person, their session, how, what
-- for and the time by the database's clock, not a minute ago. One row for each thing that the one proof is about. What is over for an hour
-- goes: by then no proof of it is taken any more.
create function quorate.note_reauthentication(p_user uuid, p_session uuid, p_method text, p_act text, p_subjects uuid[], p_at text,
  p_hmac bytea) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if abs(extract(epoch from pg_catalog.clock_timestamp()) - p_at::numeric) < 60 is not true
    or p_hmac is distinct from quorate.hmac_of(pg_catalog.format('reauthenticated %s %s %s %s %s %s %s', pg_catalog.pg_backend_pid(),
      p_user, p_session, p_method, p_act, pg_catalog.array_to_string(p_subjects, ','), p_at)) then
    raise exception 'not the identity code of Quorate' using errcode = 'QP008';
  end if;
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  delete from quorate.reauthentications r where r.id in (select o.id from quorate.reauthentications o
    where o.expires_at < pg_catalog.clock_timestamp() - interval '1 hour' order by o.expires_at limit 100 for update skip locked);
  begin
    insert into quorate.reauthentications (user_id, session_id, method, act, subject_id, proof, expires_at)
      select p_user, p_session, p_method, p_act, s, p_hmac, pg_catalog.clock_timestamp() + interval '5 minutes'
      from pg_catalog.unnest(p_subjects) s;
  exception when unique_violation then
    raise exception 'this proof has counted already' using errcode = 'QP008';
  end;
end $$;

-- Takes the newest fresh one of who asks, in their session, for this act on this thing. Answers how they proved it; null: they did not.
create function quorate.take_reauthentication(p_act text, p_subject uuid) returns text
language sql security definer set search_path = '' as $$
  update quorate.reauthentications r set consumed_at = pg_catalog.clock_timestamp() where r.id = (
    select f.id from quorate.reauthentications f
      where f.user_id = quorate.current_user_id() and f.session_id = quorate.current_session_id() and f.act = p_act
        and f.subject_id = p_subject and f.consumed_at is null and f.expires_at > pg_catalog.clock_timestamp()
      order by f.at desc, f.id desc limit 1 for update)
  returning r.method
$$;

revoke all on function quorate.note_reauthentication(uuid, uuid, text, text, uuid[], text, bytea),
  quorate.take_reauthentication(text, uuid) from public;
grant execute on function quorate.note_reauthentication(uuid, uuid, text, text, uuid[], text, bytea) to quorate_app;
