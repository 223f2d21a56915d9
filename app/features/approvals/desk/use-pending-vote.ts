import { href, useNavigation } from 'react-router';

/** The vote on this approval that is on its way to the server, so that it shows at once; null again as soon as it is counted or refused. */
export function usePendingVote(approval: string) {
  const { formAction, formData } = useNavigation();
  const address = href('/dashboard/approvals/:approval', { approval });
  const vote = formAction !== undefined && new URL(formAction, 'http://page').pathname === address ? formData?.get('vote') : undefined;
  return vote === 'approve' || vote === 'reject' ? vote : null;
}
