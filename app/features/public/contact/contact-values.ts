/** The topics of a message; the address `/contact?topic=demo` chooses one in advance. */
export const CONTACT_TOPICS = ['sales', 'demo', 'privacy', 'other'] as const;

/** The values given back when a request is refused. */
export type ContactValues = { topic: string; name: string; email: string; company: string; message: string };
