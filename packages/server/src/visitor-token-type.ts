/**
 * The `typ` (RFC 8725, section 3.11) of the token that identifies a visitor to a server of tools. The project's secret
 * signs it and the host's tokens alike. The type distinguishes them, so that nobody can use this token at this server.
 */
export const VISITOR_TOKEN_TYPE = "nitka-visitor+jwt";
