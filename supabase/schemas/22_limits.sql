-- Attempts and places that callers share across processes.

-- Instance-wide, reached through the functions below alone: RLS is on and no policy lets anybody in.
create table quorate.rate_limits (
  key text primary key,
  window_started_at timestamptz not null,
  hits int not null
);
-- Callers with ever new names would make this table grow for ever: each first hit clears away two counts that are long over
-- (the longest window is an hour), so that it shrinks faster than anybody fills it. What somebody else holds is left to the next.
create index rate_limits_over on quorate.rate_limits (window_started_at);
alter table quorate.rate_limits enable row level security;

-- Counts a hit; answers 0 when allowed, else the seconds to wait. Holds across processes.
create function quorate.take_limit(p_key text, p_max int, p_window_seconds int) returns int
language plpgsql security definer set search_path = '' as $$
declare r quorate.rate_limits;
begin
  perform quorate.require_session();
  insert into quorate.rate_limits as l (key, window_started_at, hits) values (p_key, clock_timestamp(), 1)
  on conflict (key) do update set
    hits = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then 1 else l.hits + 1 end,
    window_started_at = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then
      clock_timestamp() else l.window_started_at end
  returning * into r;
  if r.hits = 1 then
    delete from quorate.rate_limits d where d.key in
      (select o.key from quorate.rate_limits o
        where o.window_started_at < clock_timestamp() - interval '1 day' order by o.window_started_at limit 2 for update skip locked);
  end if;
  if r.hits <= p_max then return 0; end if;
  return greatest(1, ceil(extract(epoch from r.window_started_at + make_interval(secs => p_window_seconds) - clock_timestamp()))::int);
end $$;

-- Only wrong attempts add up: one that turned out right is taken back. A caller can give back no more than was counted.
create function quorate.give_back_limit(p_key text) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.rate_limits set hits = greatest(hits - 1, 0) where key = p_key
$$;

revoke all on function quorate.take_limit(text, int, int), quorate.give_back_limit(text) from public;
grant execute on function quorate.take_limit(text, int, int), quorate.give_back_limit(text) to quorate_app;
