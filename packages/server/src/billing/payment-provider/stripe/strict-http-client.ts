import type Stripe from 'stripe';

/**
 * Wraps the SDK's HTTP client so that only JSON objects reach it, and no failure without an `error`. A body such as
 * `"maintenance"` is valid JSON, and makes the SDK throw an exception that cannot be caught, which would end the
 * process. The SDK also treats every response without an `error` as a success, even a gateway's 502 page. Such a
 * response becomes an error with its status and headers.
 */
export function createStrictHttpClient(client: Stripe.HttpClient): Stripe.HttpClient {
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => {
      const response = await client.makeRequest(...request);
      return {
        getStatusCode: () => response.getStatusCode(),
        getHeaders: () => response.getHeaders(),
        getRawResponse: () => response.getRawResponse(),
        toStream: (done) => response.toStream(done),
        toJSON: async () => {
          const body = await readBody(response);
          return isAnswer(body, response.getStatusCode()) ? body : { error: { type: 'no_answer' } };
        },
      };
    },
  };
}

async function readBody(response: Stripe.HttpClientResponse): Promise<unknown> {
  try {
    return await response.toJSON();
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

function isAnswer(body: unknown, status: number): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return false;
  }
  return (status >= 200 && status <= 299) || ('error' in body && typeof body.error === 'object');
}
