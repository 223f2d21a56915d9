/** Whether this browser can be asked for a passkey by what the server writes (WebAuthn, level 3). */
export function canAskForPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  );
}

export type Asked = { purpose: 'signIn' | 'factor' | 'confirm'; about?: string };

/**
 * Asks the browser for a passkey. Returns the value of the hidden field; null where the person has put it off. `signal` ends a question that
 * waits in the fields of the page (`conditional`). Throws where the server refuses or the browser cannot.
 */
export async function askForPasskey(
  { purpose, about = '' }: Asked,
  options: { mediation?: CredentialMediationRequirement; signal?: AbortSignal } = {},
): Promise<string | null> {
  const answer = await fetch('/auth/passkey', {
    method: 'POST',
    body: new URLSearchParams({ purpose, about }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (!answer.ok) throw new Error(`no challenge: ${answer.status}`);
  const begun: { options: PublicKeyCredentialRequestOptionsJSON; state: string } = await answer.json();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(begun.options);
  return fieldOf(begun.state, () => navigator.credentials.get({ publicKey, ...options }));
}

/** Has the browser make a passkey for these options of the server. Returns as above. */
export function makePasskey(options: object, state: string): Promise<string | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return fieldOf(state, () => navigator.credentials.create({ publicKey }));
}

async function fieldOf(state: string, ask: () => Promise<Credential | null>): Promise<string | null> {
  try {
    const credential = await ask();
    return credential === null ? null : JSON.stringify({ state, answer: JSON.stringify(credential) });
  } catch (error) {
    // Put off, out of time, or ended by the page.
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null;
    throw error;
  }
}
