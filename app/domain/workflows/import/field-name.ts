/** A name of another system as the name of an input field: `chatInput` as `chat_input`, `Your e-mail` as `your_e_mail`. */
export const fieldNameOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 40) || 'value';
