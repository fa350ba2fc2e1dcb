/** Descriptions of classes for clients: their members and supertypes ({@code spec/bridge.md} section 9). */
package io.samewire.bridge.describe;
