/** The name by which a step refers to an agent of the workspace in place of a connection; its capability is then the agent's id. No slug looks like it. */
export const AUTHORED_AGENTS = '@agents';
