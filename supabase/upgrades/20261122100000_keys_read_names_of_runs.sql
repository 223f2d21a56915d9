-- A run is told with the name of its workflow: a key that reads runs alone found none, for it might not read that name.
alter policy key_reads on quorate.artifacts
  using ((select quorate.key_may('workflows:read', 'workflows:write', 'runs:start', 'runs:read')));
alter policy key_reads on quorate.versions using ((select quorate.key_may('workflows:read', 'workflows:write', 'runs:start', 'runs:read')));
