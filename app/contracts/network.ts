/**
 * Addresses inside that a workspace may reach, within what the instance allows: hosts and networks of its own, or `instance` for all that
 * the instance allows, which only workspaces have that are older than these lists.
 */
export type WorkspaceNetwork = readonly string[] | 'instance';

/** Why an entry of a workspace's list is not taken: it is none, it is never reached, or the instance does not allow it. */
export type NetworkProblem = { entry: string; problem: 'unreadable' | 'never' | 'outside' };

/** The instance's list, and what checks entries of a workspace against it. */
export type InstanceNetwork = {
  entries: readonly string[];
  /** Entries in the order typed, each once, lower-case; or the first that is not taken. */
  check(text: string): { ok: true; entries: string[] } | ({ ok: false } & NetworkProblem);
};
