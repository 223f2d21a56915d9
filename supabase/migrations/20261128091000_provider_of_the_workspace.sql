-- A sign-in under way refers to a provider of its own workspace alone.
alter table quorate.identity_providers add unique (workspace_id, id);
alter table quorate.company_one_time drop constraint company_one_time_provider_id_fkey,
  add foreign key (workspace_id, provider_id) references quorate.identity_providers (workspace_id, id) on delete cascade;
