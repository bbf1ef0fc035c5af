"""One schema for each component of the OpenAPI document, under the same name. Calls no use case."""
