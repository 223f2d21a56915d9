import { z } from 'zod';
import { APP_PARTNERS } from '#app/domain/connections/app-partners.ts';

/** `connections.settings` of the kind `app`. */
export const appSettingsSchema = z.object({ partner: z.enum(APP_PARTNERS) });
