-- The sequences that number runs stand in a schema of their own: the embedded auth service wants rights on all that stands in a schema with
-- row level security, and does not start where it finds a sequence that it was not admitted to.

create schema if not exists quorate_numbers;
do $$
declare v_name text;
begin
  for v_name in select c.relname from pg_class c
    where c.relnamespace = 'quorate'::regnamespace and c.relkind = 'S' and c.relname like 'run\_numbers\_%' loop
    execute format('alter sequence quorate.%I set schema quorate_numbers', v_name);
  end loop;
end $$;

-- Numbers runs by a sequence of their workspace, which the first run makes. A row that counts would be locked until the start commits, so
-- that starts of one workspace waited for one another's disk. A copied database goes on behind the highest number.
create or replace function quorate.number_run() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_name text := pg_catalog.format('quorate_numbers.run_numbers_%s', replace(new.workspace_id::text, '-', ''));
  v_sequence regclass := pg_catalog.to_regclass(v_name);
begin
  if v_sequence is null then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(v_name, 0));
    -- Looked up again by the statement itself: what is known here of the catalogue may be older than another's commit.
    execute pg_catalog.format('create sequence if not exists %s as int start with %s', v_name,
      (select coalesce(max(r.number), 0) + 1 from quorate.runs r where r.workspace_id = new.workspace_id));
    v_sequence := pg_catalog.to_regclass(v_name);
  end if;
  new.number := pg_catalog.nextval(v_sequence);
  return new;
end $$;

create or replace function quorate.forget_run_numbers() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute pg_catalog.format('drop sequence if exists quorate_numbers.run_numbers_%s', replace(old.id::text, '-', ''));
  return null;
end $$;
