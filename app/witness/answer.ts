/** An answer of the protocol: status, body, and its type where it is not plain text. */
export type Answer = { status: number; body: string; type?: string };

export const refuse = (status: number, why: string): Answer => ({ status, body: `${why}\n` });
