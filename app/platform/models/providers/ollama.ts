import { openCompatible } from '#app/platform/models/providers/compatible.ts';
import type { OpenModel } from '#app/platform/models/providers/open-model.ts';

export const ollama: OpenModel = (request) => openCompatible('ollama', `${request.baseUrl}/v1`, request);
