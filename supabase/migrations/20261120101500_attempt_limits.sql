-- Only wrong attempts add up: one that turned out right is taken back. A caller can give back no more than was counted.
create function quorate.give_back_limit(p_key text) returns void
language sql security definer set search_path = '' as $$
  update quorate.rate_limits set hits = greatest(hits - 1, 0) where key = p_key
$$;
revoke all on function quorate.give_back_limit(text) from public;
grant execute on function quorate.give_back_limit(text) to quorate_app;
