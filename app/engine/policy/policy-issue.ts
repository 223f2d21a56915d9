/** What is wrong with a policy's text; `line` and `column` count from 1 where Cedar names the place. */
export type PolicyIssue = { message: string; line?: number; column?: number };
