import { A2A_CONTENT_TYPE } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors';

/** Throws ContentTypeNotSupportedError for a body that is said to be something else than JSON; where nothing is said, it is tried. */
export function requireJson({ headers, body }: { headers: Headers; body: string }): void {
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (body !== '' && type !== '' && type !== 'application/json' && type !== A2A_CONTENT_TYPE)
    throw new ContentTypeNotSupportedError(`Send application/json, not ${type}.`);
}
