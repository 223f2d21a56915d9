-- Pages of agents, policies, connections and deliveries are found by an index, however many rows a workspace has.
drop index quorate.artifacts_agents;
create index artifacts_names on quorate.artifacts (workspace_id, kind, name, id) where deleted_at is null;
create index artifacts_owned on quorate.artifacts (workspace_id, kind, owner_id, name, id) where deleted_at is null;
drop index quorate.connections_list;
create index connections_list on quorate.connections (workspace_id, kind, name, id) where deleted_at is null;
create index connections_plugins on quorate.connections (workspace_id, name, id) where deleted_at is null and kind in ('mcp', 'app');
create index deliveries_open on quorate.deliveries (workspace_id, status, created_at desc, id desc) where status <> 'success';
