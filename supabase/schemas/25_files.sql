-- Files, and the pictures of people, which stand under a path of their owner.

create table quorate.files (
  id uuid primary key,
  workspace_id uuid references quorate.workspaces (id) on delete cascade,
  owner_id uuid not null,
  name text not null,
  media_type text not null,
  content bytea not null check (octet_length(content) <= 10485760),
  created_at timestamptz not null default now()
);
create index files_workspace on quorate.files (workspace_id, name);
create unique index files_personal on quorate.files (name) where workspace_id is null;
alter table quorate.files enable row level security;

create table quorate.avatars (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  file_name text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- SHA-256 of the content, in hex: the entity tag
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  updated_at timestamptz not null default now()
);
alter table quorate.avatars enable row level security;

-- Whether this person and the one of the transaction have a workspace in common.
create function quorate.shares_workspace(p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from quorate.members mine join quorate.members theirs on theirs.workspace_id = mine.workspace_id
    where mine.user_id = quorate.current_user_id() and theirs.user_id = p_user)
$$;

-- The file store of an instance without Supabase Storage. Whoever calls it has decided already who may.
create function quorate.keep_file(p_id uuid, p_owner uuid, p_name text, p_media_type text, p_content bytea) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  insert into quorate.files (id, owner_id, name, media_type, content) values (p_id, p_owner, p_name, p_media_type, p_content)
$$;

create function quorate.read_file(p_name text) returns table (media_type text, content bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select f.media_type, f.content from quorate.files f where f.workspace_id is null and f.name = p_name
$$;

create function quorate.remove_files(p_names text[]) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  delete from quorate.files f where f.workspace_id is null and f.name = any (p_names)
$$;

create function quorate.list_files(p_folder text, p_limit integer, p_offset integer) returns table (name text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select f.name from quorate.files f where f.workspace_id is null and pg_catalog.starts_with(f.name, p_folder || '/')
    order by f.name limit p_limit offset p_offset
$$;

create policy worker_reads on quorate.files for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy own on quorate.files for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id()))
    with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id()));
create policy key_reads on quorate.files as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.files as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.files as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.files as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy colleagues_see on quorate.avatars for select to quorate_member
  using ((select quorate.current_key_id()) is null and (user_id = (select quorate.current_user_id()) or quorate.shares_workspace(user_id)));
create policy own_insert on quorate.avatars for insert to quorate_member
  with check (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);
create policy own_update on quorate.avatars for update to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null)
  with check (user_id = (select quorate.current_user_id()));
create policy own_delete on quorate.avatars for delete to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);

grant select, insert, delete on quorate.files to quorate_member;
grant select on quorate.files to quorate_worker;
grant select, insert, update, delete on quorate.avatars to quorate_member;
revoke all on function quorate.shares_workspace(uuid), quorate.keep_file(uuid, uuid, text, text, bytea), quorate.read_file(text),
  quorate.remove_files(text[]), quorate.list_files(text, int, int) from public;
grant execute on function quorate.keep_file(uuid, uuid, text, text, bytea), quorate.read_file(text), quorate.remove_files(text[]),
  quorate.list_files(text, int, int) to quorate_app;
grant execute on function quorate.shares_workspace(uuid) to quorate_member;
