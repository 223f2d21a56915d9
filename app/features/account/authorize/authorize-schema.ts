import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { API_KEY_SCOPES } from '#app/contracts/people.ts';

/** A person's answer to a client: nothing is granted without a right. */
export const authorizeSchema = z.object({
  /** Made with the form: sent twice it lets the client in once. */
  id: z.uuid(),
  scopes: z.array(z.enum(API_KEY_SCOPES), { error: message('chooseOne') }).min(1, { error: message('chooseOne') }),
});
