import type { LanguageModel } from 'ai';
import type { ModelRequest } from '#app/contracts/ports.ts';

/** Opens a model of one provider. Loads the provider's package with its first call, and never lets it look for a key in the environment. */
export type OpenModel = (request: Pick<ModelRequest, 'baseUrl' | 'credential' | 'model' | 'fetch'>) => Promise<LanguageModel>;

/** The key sent where the connection has none. Never undefined: the packages would look for one in the process's environment. */
export const NO_KEY = '-';
