import { z } from 'zod';

/** The fields of a form that asks for a proof. Which of them it takes is for the server to say, who knows what the person has. */
export const proofFields = {
  password: z.string().max(1024).optional(),
  code: z.string().trim().max(20).optional(),
  passkey: z.string().max(24_000).optional(),
};
