// Owns the requests to the server that are not messages.

export class ApiError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export async function ask(path, { method = "GET", body = null, as = "json" } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : null,
    });
  } catch {
    throw new ApiError("offline", "the server does not answer");
  }
  if (!response.ok) {
    const told = await response.json().catch(() => ({}));
    throw new ApiError(told.code ?? "failed", told.message ?? response.statusText);
  }
  if (response.status === 204) return null;
  return as === "json" ? response.json() : response.text();
}
