/** Services of others that Quorate calls by their own public interfaces, as connections of the kind `app`. */
export const APP_PARTNERS = ['camunda', 'servicenow', 'supabase', 'huggingFace', 'langGraph', 'n8n', 'http'] as const;
export type AppPartner = (typeof APP_PARTNERS)[number];

/** Names that the services give themselves. */
export const APP_PARTNER_NAMES: Readonly<Record<AppPartner, string>> = {
  camunda: 'Camunda 8',
  servicenow: 'ServiceNow',
  supabase: 'Supabase',
  huggingFace: 'Hugging Face',
  langGraph: 'LangGraph Platform',
  n8n: 'n8n',
  http: 'HTTP API',
};
